// A real identity provider, oidc-provider, on a loopback port: people are signed in and consent to everything at once.
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import http from 'node:http';
import { SignJWT, exportJWK, generateKeyPair, importJWK } from 'jose';
import { Provider } from 'oidc-provider';

const scopes = 'pm:read pm:write';

/** A client that is registered already. */
export const shell = { id: 'shell', redirect: 'http://127.0.0.1:8976/callback' };
/** As whom the MCP server asks about tokens. */
export const tools = { id: 'tools', secret: `s-${randomBytes(24).toString('base64url')}` };

async function newKey(algorithm) {
  const { privateKey } = await generateKeyPair(algorithm, { extractable: true });
  const kid = `${algorithm}-${randomBytes(6).toString('hex')}`;
  return { ...(await exportJWK(privateKey)), kid, alg: algorithm, use: 'sig' };
}

export class IdentityProvider {
  /** Starts on a free port. `format` is that of access tokens: jwt or opaque. */
  static async start({ format = 'jwt', algorithm = 'ES256' } = {}) {
    const provider = new IdentityProvider();
    Object.assign(provider, { format, algorithm, revisions: 0, held: undefined });
    provider.server = http.createServer((request, response) => provider.#answer(request, response));
    await provider.#listen(0);
    provider.port = provider.server.address().port;
    provider.issuer = `http://127.0.0.1:${provider.port}`;
    await provider.rotate();
    return provider;
  }

  #listen(port) {
    return new Promise((resolve, reject) => {
      this.server.once('error', reject).listen(port, '127.0.0.1', resolve);
    });
  }

  /** Nobody answers any more, until `up`. */
  async down() {
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.server.closeAllConnections();
    await closed;
  }

  up() {
    return this.#listen(this.port);
  }

  /** Replaces the signing key; the old one is not published any more. */
  async rotate() {
    this.key = await newKey(this.algorithm);
    // Tokens of an identity are signed by RS256 unless a client says otherwise.
    this.identityKey ??= await newKey('RS256');
    this.oidc = new Provider(this.issuer, this.#configuration());
    this.callback = this.oidc.callback();
    this.asked = {};
  }

  #configuration() {
    const keys = { keys: [this.key, this.identityKey] };
    return {
      jwks: keys,
      cookies: { keys: [randomBytes(24).toString('hex')] },
      clients: [
        {
          client_id: shell.id,
          token_endpoint_auth_method: 'none',
          application_type: 'native',
          redirect_uris: [shell.redirect],
          grant_types: ['authorization_code', 'refresh_token'],
        },
        {
          client_id: tools.id,
          client_secret: tools.secret,
          redirect_uris: [],
          response_types: [],
          grant_types: [],
        },
      ],
      scopes: ['openid', 'offline_access', ...scopes.split(' ')],
      // Clients register with the scopes that they want first; that is no limit to what people may consent to later.
      extraClientMetadata: {
        properties: ['software_id'],
        validator: (_, __, ___, metadata) => {
          delete metadata.scope;
        },
      },
      clientDefaults: { id_token_signed_response_alg: 'RS256' },
      findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
      interactions: { url: (_, interaction) => `/interaction/${interaction.uid}` },
      pkce: { required: () => true },
      responseTypes: ['code'],
      ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 3600, IdToken: 600, Interaction: 600, Session: 600, RefreshToken: 3600 },
      features: {
        devInteractions: { enabled: false },
        introspection: { enabled: true, allowedPolicy: () => true },
        revocation: { enabled: true },
        registration: { enabled: true },
        resourceIndicators: {
          enabled: true,
          defaultResource: (_, __, oneOf) => oneOf,
          useGrantedResource: () => true,
          getResourceServerInfo: (_, resource) => ({
            scope: scopes,
            audience: resource,
            accessTokenTTL: 600,
            accessTokenFormat: this.format,
            jwt: { sign: { alg: this.algorithm } },
          }),
        },
      },
    };
  }

  async #answer(request, response) {
    const path = request.url.split('?')[0];
    this.asked[path] = (this.asked[path] ?? 0) + 1;
    try {
      if (path.startsWith('/interaction/')) await this.#interact(request, response);
      else this.callback(request, response);
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  }

  /** Signs in and consents, in place of a person. */
  async #interact(request, response) {
    const { prompt, params, session, grantId } = await this.oidc.interactionDetails(request, response);
    if (prompt.name === 'login') {
      return this.oidc.interactionFinished(request, response, { login: { accountId: 'ada' } });
    }
    const { Grant } = this.oidc;
    const known = grantId && (await Grant.find(grantId));
    const grant = known || new Grant({ accountId: session.accountId, clientId: params.client_id });
    const { missingOIDCScope, missingOIDCClaims, missingResourceScopes } = prompt.details;
    if (missingOIDCScope) grant.addOIDCScope(missingOIDCScope.join(' '));
    if (missingOIDCClaims) grant.addOIDCClaims(missingOIDCClaims);
    for (const [resource, wanted] of Object.entries(missingResourceScopes ?? {})) {
      grant.addResourceScope(resource, wanted.join(' '));
    }
    return this.oidc.interactionFinished(
      request,
      response,
      { consent: { grantId: await grant.save() } },
      { mergeWithLastSubmission: true },
    );
  }

  /** Walks an authorization URL as a browser does; gives the address that the client is called back at. */
  async walk(url) {
    const cookies = new Map();
    let next = new URL(url);
    for (let step = 0; step < 12; step += 1) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const response = await fetch(next, { redirect: 'manual', headers: { cookie } });
      for (const set of response.headers.getSetCookie()) {
        const [name, value] = set.split(';')[0].split('=');
        cookies.set(name, value);
      }
      const location = response.headers.get('location');
      assert.ok(location, `no way on from ${next.pathname}: ${response.status} ${await response.text()}`);
      next = new URL(location, next);
      if (next.origin !== this.issuer) return next;
    }
    throw new Error('the authorization goes round in circles');
  }

  /** Tokens by authorization code, PKCE and resource. */
  async tokens({ resource, scope = scopes, client = shell }) {
    const verifier = randomBytes(32).toString('base64url');
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    const query = new URLSearchParams({
      client_id: client.id,
      response_type: 'code',
      redirect_uri: client.redirect,
      scope,
      state: 'x',
      prompt: 'consent',
      code_challenge: challenge,
      code_challenge_method: 'S256',
      resource,
    });
    const back = await this.walk(`${this.issuer}/auth?${query}`);
    assert.equal(back.searchParams.get('iss'), this.issuer, String(back));
    const form = new URLSearchParams({
      grant_type: 'authorization_code',
      code: back.searchParams.get('code'),
      redirect_uri: client.redirect,
      client_id: client.id,
      code_verifier: verifier,
      resource,
    });
    const response = await fetch(`${this.issuer}/token`, { method: 'POST', body: form });
    const answer = await response.json();
    assert.equal(response.status, 200, JSON.stringify(answer));
    return answer;
  }

  async revoke(token) {
    const form = new URLSearchParams({ token, client_id: shell.id });
    const response = await fetch(`${this.issuer}/token/revocation`, { method: 'POST', body: form });
    assert.equal(response.status, 200);
  }

  /** A token that the provider itself would not make, signed by its key or by another. */
  async sign(claims, { key = this.key, header = {} } = {}) {
    const now = Math.floor(Date.now() / 1000);
    const whole = { iss: this.issuer, sub: 'ada', client_id: shell.id, scope: scopes, iat: now, exp: now + 600, ...claims };
    return new SignJWT(whole)
      .setProtectedHeader({ alg: key.alg, typ: 'at+jwt', kid: key.kid, ...header })
      .sign(await importJWK(key, key.alg));
  }
}
