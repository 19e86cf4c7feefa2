// A stranger's identity provider for tests, as its own process: node provider.mjs <port> <clients as JSON>
import { Provider } from 'oidc-provider';

const [port, clients] = process.argv.slice(2);
const issuer = `http://localhost:${port}`;

/** Everyone can log in with any password; the name decides what the provider says about them. */
const claimsOf = (login) => ({
  sub: login,
  preferred_username: login,
  email: `${login}@${login.startsWith('guest') ? 'elsewhere.example' : 'example.org'}`,
  email_verified: !login.startsWith('unproved'),
  groups: login.startsWith('boss') ? ['staff', 'admins'] : ['people'],
});

const provider = new Provider(issuer, {
  clients: JSON.parse(clients),
  claims: {
    openid: ['sub'],
    profile: ['preferred_username', 'groups'],
    email: ['email', 'email_verified'],
  },
  findAccount: (_, login) => ({ accountId: login, claims: () => claimsOf(login) }),
  features: { backchannelLogout: { enabled: true } },
  // So that a test can see what happens if a login loses its PKCE on the way.
  pkce: { required: () => false },
  // Its own one refuses addresses of this machine.
  fetch: (url, options) => globalThis.fetch(url, { ...options, dispatcher: undefined }),
  cookies: { keys: ['only for tests'] },
});
provider.listen(Number(port), () => process.stdout.write('ready\n'));
