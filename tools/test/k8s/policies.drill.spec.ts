import { describeWithKustomize, type Manifests, OVERLAYS, renderAll } from './manifests';
import { API_SERVER_BREACHES } from './policies/api-server-breaches';
import { BREACHES as OTHERS } from './policies/breaches';
import { POLICIES } from './policies/policies';

const BREACHES = [...OTHERS, ...API_SERVER_BREACHES];

describeWithKustomize('the policies of the manifests', () => {
  const rendered = new Map<string, Manifests>();

  beforeAll(() => {
    for (const each of renderAll()) rendered.set(each.overlay, each);
  });

  describe.each(OVERLAYS)('%s', (overlay) => {
    it.each(POLICIES.map(({ name, check }) => [name, check] as const))('%s', (_, check) => {
      expect(check(rendered.get(overlay) as Manifests)).toEqual([]);
    });
  });

  it.each(BREACHES)('%s: notices %s', (word, _, breach, said) => {
    const policy = POLICIES.find(({ name }) => name.includes(word));
    const broken = (rendered.get(word === 'Gateway' ? 'components' : 'production') as Manifests).copy();

    breach(broken);

    expect(policy?.check(broken).join('\n')).toContain(said);
  });

  it('has a breach for every policy', () => {
    const untested = POLICIES.filter(({ name }) => !BREACHES.some(([word]) => name.includes(word)));
    expect(untested.map(({ name }) => name)).toEqual([]);
  });
});
