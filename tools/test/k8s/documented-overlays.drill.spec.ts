import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { read } from '../house/tracked-files';
import { describeWithKustomize, RENDERED, render, renderText, ROOT } from './manifests';

/** The code block of a guide that contains a text. */
function blockWith(guide: string, text: string): string {
  const blocks = [...read(guide).matchAll(/^```\w+\n([^]*?)^```/gm)].map(([, block = '']) => block);
  const found = blocks.find((block) => block.includes(text));
  if (found === undefined) throw new Error(`${guide} has no block with ${text}`);
  return found;
}

describeWithKustomize('the overlays in the guides', () => {
  let folder: string;

  beforeAll(() => {
    // A copy of what the overlays in the guides refer to, so that the guides' commands write no file into the repository.
    folder = mkdtempSync(join(tmpdir(), 'vitrine-overlays-'));
    for (const part of ['k8s', 'docker/nginx'])
      cpSync(join(ROOT, part), join(folder, part), { recursive: true });
  });

  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  describe('of the restore drill', () => {
    let drill: string;
    let check: string;

    beforeAll(() => {
      const guide = 'docs/guides/backup.md';
      shell(/^sed .*overlays\/drill\/settings\.yaml$/m.exec(blockWith(guide, '! grep'))?.[0] ?? '');
      drill = renderText(join(folder, 'k8s/overlays/drill'));
      [check = ''] = /^! grep .*drill\.yaml(?= &&$)/m.exec(blockWith(guide, '! grep')) ?? [];
    });

    const shell = (script: string): SpawnSyncReturns<string> =>
      spawnSync('sh', ['-c', script], { cwd: folder, encoding: 'utf8' });

    const checked = (text: string): SpawnSyncReturns<string> => {
      writeFileSync(join(folder, 'drill.yaml'), text);
      return shell(check);
    };

    it('passes the check of the guide that nothing names production', () => {
      expect(checked(drill)).toMatchObject({ status: 0, stdout: '', stderr: '' });
    });

    it.each([
      ['production’s broker', '@vitrine-rabbitmq.vitrine-drill.svc', '@vitrine-rabbitmq.vitrine.svc'],
      ['a password of production’s broker', 'key: vitrine-drill-bus-upload', 'key: vitrine-bus-upload'],
      ['production’s bucket', 's3://vitrine-drill', 's3://vitrine-media'],
      ['production’s namespace', 'namespace: vitrine-drill\n', 'namespace: vitrine\n'],
    ])('fails the check of the guide if it names %s', (_, here, there) => {
      const { status, stdout } = checked(drill.replace(here, there));

      expect(status).toBe(1);
      expect(stdout).toContain(there);
    });
  });

  it('need charts of fixed versions, whose webhooks the guide awaits', () => {
    const commands = read('docs/guides/kubernetes.md').replaceAll('\\\n', ' ').split('\n');
    const charts = commands.filter((line) => /^helm (install|upgrade) /.test(line));

    expect(charts.length).toBeGreaterThan(5);
    for (const chart of charts) expect(chart).toMatch(/ --version v?\d+\.\d+\.\d+ .*--wait\b/);
  });

  it('of optional components change the settings of these components', () => {
    const overlay = join(folder, 'k8s/overlays/documented');
    mkdirSync(overlay);
    cpSync(join(ROOT, 'tools/test/k8s/settings/settings.yaml'), join(overlay, 'settings.yaml'));
    const components = read(`${RENDERED.components}/kustomization.yaml`)
      .replaceAll('../../../../k8s/', '../../')
      .replace('../settings', 'settings.yaml');
    const patches = blockWith('docs/guides/kubernetes.md', 'name: vitrine-identity-providers');
    writeFileSync(join(overlay, 'kustomization.yaml'), `${components}\n${patches}`);

    const manifests = render('documented', overlay);

    const settingsOf = (component: string): unknown =>
      manifests.of('ConfigMap').find(({ metadata }) => metadata?.name?.startsWith(component))?.data;
    expect(settingsOf('vitrine-mail')).toEqual({ MAIL_FROM: 'Photos <post@photos.test>' });
    expect(settingsOf('vitrine-identity-providers')).toMatchObject({ PASSWORD_LOGIN: 'off' });
  });
});
