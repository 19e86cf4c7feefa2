import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { freePort } from '../service-process';

const MAIN = resolve(__dirname, '../../src/identity-provider/provider.mjs');
/** Redirects and forms that one login takes, at most. */
const MAX_STEPS = 12;

/** A client of the provider. */
export interface ProviderClient {
  readonly client_id: string;
  readonly client_secret: string;
  readonly redirect_uris: readonly string[];
  readonly post_logout_redirect_uris?: readonly string[];
  readonly backchannel_logout_uri?: string;
  readonly backchannel_logout_session_required?: boolean;
}

/** An identity provider that is not ours (oidc-provider), as its own process. */
export interface IdentityProvider {
  readonly issuer: string;
  stop(): Promise<void>;
}

/** Starts a provider at which everyone can log in with any name and password. */
export async function startIdentityProvider(
  clients: readonly ProviderClient[],
  port?: number,
): Promise<IdentityProvider> {
  const own = port ?? (await freePort());
  const child = spawn(process.execPath, [MAIN, String(own), JSON.stringify(clients)], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const exited = once(child, 'exit');
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  await Promise.race([
    once(child.stdout, 'data'),
    exited.then(() => Promise.reject(new Error('The identity provider did not start.'))),
  ]);
  return {
    issuer: `http://localhost:${own}`,
    stop: async () => {
      process.off('exit', kill);
      child.kill();
      await exited;
    },
  };
}

/** A browser without scripts at the provider; it remembers the provider's cookies. */
export class ProviderVisitor {
  private readonly cookies = new Map<string, string>();

  /**
   * Logs in at the provider, from the address to which the site sends the browser. Returns the address to which the
   * provider sends it back.
   */
  async logIn(address: string, login: string): Promise<string> {
    const home = new URL(address).origin;
    let next: { readonly url: string; readonly form?: Readonly<Record<string, string>> } = { url: address };
    for (let step = 0; step < MAX_STEPS; step++) {
      const { url, form } = next;
      if (new URL(url).origin !== home) return url;
      const response = await this.request(url, form);
      const location = response.headers.get('Location');
      if (location !== null) {
        next = { url: new URL(location, url).href };
        continue;
      }
      const page = await response.text();
      const [, action] = /<form[^>]* action="([^"]+)"/.exec(page) ?? [];
      if (action === undefined) throw new Error(`The provider answered ${response.status}: ${page}`);
      const prompt = page.includes('name="login"') ? 'login' : 'consent';
      next = {
        url: new URL(action, url).href,
        form: { prompt, ...(prompt === 'login' && { login, password: 'x' }) },
      };
    }
    throw new Error('The login did not end.');
  }

  /** Confirms the provider's question whether to log out there. Returns the address to which it sends the browser. */
  async logOut(address: string): Promise<string> {
    const page = await (await this.request(address)).text();
    const [, action = ''] = /<form[^>]* action="([^"]+)"/.exec(page) ?? [];
    const [, xsrf = ''] = /name="xsrf" value="([^"]+)"/.exec(page) ?? [];
    const response = await this.request(new URL(action, address).href, { xsrf, logout: 'yes' });
    return response.headers.get('Location') ?? '';
  }

  private async request(url: string, form?: Readonly<Record<string, string>>): Promise<Response> {
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { Cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return response;
  }
}
