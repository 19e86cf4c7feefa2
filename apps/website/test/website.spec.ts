import { startService, type ServiceProcess } from '@vitrine/testing';

describe('website', () => {
  let site: ServiceProcess;

  beforeAll(async () => {
    site = await startService('website', {
      env: {
        PUBLIC_API_URL: 'https://api.example.org/api/v1',
        PUBLIC_UPLOAD_URL: 'https://up.example.org/m"><b>',
      },
    });
  });

  afterAll(async () => {
    await site?.stop();
  });

  it('says at / what Vitrine is, that the site is still to come, and where the API answers', async () => {
    const response = await fetch(site.url);
    const page = await response.text();

    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page).toContain('still to come');
    expect(page).toContain('<code>https://api.example.org/api/v1</code>');
  });

  it('links nothing that does not answer', async () => {
    const page = await (await fetch(site.url)).text();

    const links = [...page.matchAll(/<a [^>]*href="([^"]*)"/g)].map((match) => match[1] ?? '');
    expect(links.length).toBeGreaterThan(0);
    for (const link of links) expect((await fetch(new URL(link, site.url))).status).toBe(200);
  });

  it('escapes what it takes from its settings', async () => {
    const page = await (await fetch(site.url)).text();

    expect(page).toContain('https://up.example.org/m&quot;&gt;&lt;b&gt;');
    expect(page).not.toContain('"><b>');
  });

  it('lets nothing run, frame it, or be loaded from elsewhere', async () => {
    const response = await fetch(site.url);
    const page = await response.text();

    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('x-powered-by')).toBeNull();
    expect(page).not.toMatch(/<script|<style|style=|onload=/);
    const loaded = [...page.matchAll(/<(?:link|img)[^>]*?(?:href|src)="([^"]*)"/g)].map(
      (match) => match[1] ?? '',
    );
    expect(loaded.length).toBeGreaterThan(0);
    for (const address of loaded) {
      expect(address).toMatch(/^\/[^/]/);
      expect((await fetch(site.url + address)).status).toBe(200);
    }
  });

  it.each(['/m/abc1234', '/p/abc1234', '/u/ada', '/nowhere', '/%3Cscript%3E', '/m/%ZZ'])(
    'answers %s with a page for people',
    async (path) => {
      const response = await fetch(site.url + path);
      const page = await response.text();

      expect(response.status).toBe(404);
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(page).toContain('<title>');
      expect(page).not.toMatch(/stack|exception|nowhere|script/i);
    },
  );

  it('is told apart from a site that is not up by its management port', async () => {
    expect((await fetch(`${site.managementUrl}/health/ready`)).status).toBe(200);
    expect((await fetch(`${site.url}/health/ready`)).status).toBe(404);
  });

  it('names the port that it can not have, and the setting that moves it', async () => {
    const taken = new URL(site.url).port;

    const start = startService('website', { env: { SITE_PORT: taken } });

    await expect(start).rejects.toThrow(`Port ${taken} is in use by another program`);
    await expect(start).rejects.toThrow('SITE_PORT');
  });

  it('ends with status 0 when asked to, having finished its answers', async () => {
    const other = await startService('website', { env: {} });

    expect(await other.stop()).toBe(0);
  });
});
