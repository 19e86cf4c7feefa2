import { parse } from 'yaml';
import { read, trackedFiles } from '../house/tracked-files';
import { findEarlyMerges, type Kustomization } from './kustomizations';

describe('the kustomizations', () => {
  const files = trackedFiles().filter((path) => path.endsWith('/kustomization.yaml'));
  const production = 'k8s/overlays/production/kustomization.yaml';

  it('merge only into what their resources generate, not into what their components generate', () => {
    expect(files).toContain(production);
    expect(files.flatMap((path) => findEarlyMerges(path, parse(read(path)) as Kustomization))).toEqual([]);
  });

  it('are refused if an overlay merges into what a component generates', () => {
    const merging = {
      components: ['../../components/nginx'],
      configMapGenerator: [
        { name: 'vitrine-common', behavior: 'merge' as const },
        { name: 'vitrine-bucket', behavior: 'merge' as const },
        { name: 'vitrine-nginx-files', behavior: 'replace' as const },
      ],
    };
    expect(findEarlyMerges(production, merging)).toEqual([
      expect.stringContaining('merges into vitrine-bucket'),
      expect.stringContaining('merges into vitrine-nginx-files'),
    ]);
  });
});
