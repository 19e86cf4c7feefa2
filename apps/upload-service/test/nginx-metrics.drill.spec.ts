import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  debianProgram,
  describeWithNginx,
  eventually,
  freePort,
  type ServiceProcess,
  startSendingNginx,
  startService,
} from '@vitrine/testing';

const ROOT = join(__dirname, '..', '..', '..');

describeWithNginx('the process that counts the requests of nginx', () => {
  const servers: Server[] = [];
  const seen: string[] = [];
  let bucketStatus = 200;
  let counter: ServiceProcess;
  let front: Awaited<ReturnType<typeof startSendingNginx>>;
  let metricsUrl: string;

  const play = async (answer: RequestListener): Promise<string> => {
    const server = createServer(answer);
    servers.push(server);
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };

  beforeAll(async () => {
    const upload = await play(({ headers, url }, response) => {
      seen.push(String(headers['x-request-id']));
      if (url === '/broken') return void response.destroy();
      if (url === '/failed') return void response.writeHead(500).end();
      if (!url?.startsWith('/f/')) return void response.writeHead(200).end('an answer');
      if (headers['x-vitrine-question'] === '1' && url.includes('BBBBBBB'))
        return void response.writeHead(403).end();
      response.setHeader('X-Accel-Redirect', `/vitrine-files/whole${url}`).setHeader('ETag', `"${url}"`);
      return void response.end();
    });
    const objects = await play(
      (_request, response) => void response.writeHead(bucketStatus, { 'Content-Length': 5 }).end('bytes'),
    );
    const logPort = await freePort();
    counter = await startService('upload-service', {
      env: {},
      program: ['nginx-metrics/main.js', `${logPort}`],
    });
    front = await startSendingNginx({ upload, objects, logPort });
    metricsUrl = `${counter.managementUrl}/metrics`;
  });
  afterAll(async () => {
    await front?.stop();
    await counter?.stop();
    for (const server of servers) server.close().closeAllConnections();
  });

  const series = async (name: string): Promise<Readonly<Record<string, number>>> => {
    const text = await (await fetch(metricsUrl)).text();
    const lines = [...text.matchAll(new RegExp(`^${name}(\\{.*\\})? (\\S+)$`, 'gm'))];
    return Object.fromEntries(lines.map(([, labels = '', value]) => [labels, Number(value)]));
  };

  const counters = async (): Promise<Readonly<Record<string, number>>> => {
    const found: Record<string, number> = {};
    for (const name of ['vitrine_nginx_requests_total', 'vitrine_nginx_bucket_errors_total'])
      for (const [labels, value] of Object.entries(await series(name))) found[name + labels] = value;
    return found;
  };
  const total = (values: Readonly<Record<string, number>>): number =>
    Object.entries(values).reduce((sum, [name, value]) => sum + (name.includes('requests') ? value : 0), 0);

  it('tells where answers came from', async () => {
    for (const path of ['/api/v1/media', '/f/AAAAAAA.png', '/f/BBBBBBB.png', '/f/AAAAAAA.png'])
      expect((await fetch(front.url + path)).status).toBe(200);
    await eventually(async () =>
      expect(await series('vitrine_nginx_requests_total')).toEqual({
        '{status="200",source="upload-service"}': 1,
        '{status="200",source="bucket"}': 2,
        '{status="200",source="cache"}': 1,
      }),
    );
    expect(await series('vitrine_nginx_bucket_seconds_count')).toEqual({ '': 2 });
    expect(await series('vitrine_nginx_bucket_errors_total')).toEqual({});
    expect((await series('vitrine_nginx_sent_bytes_total'))['']).toBeGreaterThan(20);
  });

  it('counts errors of the bucket, and logs them with the id that upload-service gets', async () => {
    bucketStatus = 503;
    const headers = { 'X-Request-Id': 'a-request-of-a-client' };
    expect((await fetch(`${front.url}/f/CCCCCCC.png`, { headers })).status).toBe(503);
    expect((await fetch(`${front.url}/f/DDDDDDD.png`)).status).toBe(503);
    expect((await fetch(`${front.url}/failed`)).status).toBe(500);
    expect((await fetch(`${front.url}/broken`)).status).toBe(502);
    await eventually(async () => {
      expect(await series('vitrine_nginx_bucket_errors_total')).toEqual({ '{status="503"}': 2 });
      const log = counter.output();
      expect(log).toContain('A request for CCCCCCC got 503: bucket 503');
      expect(log).toContain('A request got 502: upload-service 502');
      expect(log).toContain('A request got 500: upload-service 500');
      expect(log).toContain('a-request-of-a-client');
      expect(log).toContain(seen.at(-1));
    });
    expect(seen.at(-1)).toMatch(/^[0-9a-f]{32}$/);
    expect(seen).toContain('a-request-of-a-client');
  });

  it('lets alerts fire while the bucket and upload-service fail, and end afterwards', async () => {
    const phases = [await counters()];
    for (const [status, path] of [
      [200, '/api/v1/media'],
      [503, '/broken'],
      [200, '/api/v1/media'],
    ] as const) {
      bucketStatus = status;
      const before = await counters();
      for (const name of ['EEEEEE', 'FFFFFF', 'GGGGGG'])
        await fetch(`${front.url}/f/${name}${phases.length}.png`);
      await fetch(front.url + path);
      await eventually(async () => expect(total(await counters()) - total(before)).toBe(4));
      phases.push(await counters());
    }
    // Each phase lasts half an hour, and each of its minutes is like the requests above.
    const inputs = [...new Set(phases.flatMap((phase) => Object.keys(phase)))].map((name) => {
      const [first = 0, ...values] = phases.map((phase) => phase[name] ?? 0);
      const steps = values.map((value, at) => value - (values[at - 1] ?? first));
      let at = 0;
      const minutes = steps.flatMap((step) => Array.from({ length: 30 }, () => (at += step)));
      return { series: name.replace('{', '{namespace="vitrine",'), values: minutes.join(' ') };
    });
    const firing = (alertname: string, minute: number, fires: boolean): object => ({
      expr: `count(ALERTS{alertname="${alertname}",alertstate="firing",namespace="vitrine"})`,
      eval_time: `${minute}m`,
      exp_samples: fires ? [{ labels: '{}', value: 1 }] : [],
    });
    const test = {
      rule_files: [join(ROOT, 'docker/prometheus/rules.yaml')],
      evaluation_interval: '1m',
      tests: [
        {
          interval: '1m',
          input_series: inputs,
          promql_expr_test: ['VitrineStorageErrors', 'VitrineHighErrorRate'].flatMap((alert) => [
            firing(alert, 28, false),
            firing(alert, 45, true),
            firing(alert, 80, false),
          ]),
        },
      ],
    };
    const file = join(mkdtempSync(join(tmpdir(), 'vitrine-alerts-')), 'test.yaml');
    writeFileSync(file, JSON.stringify(test));
    execFileSync(debianProgram('promtool', 'prometheus'), ['test', 'rules', file], { stdio: 'pipe' });
  });
});
