import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeSbom } from '../dev/src/sbom/write-sbom';
import { label, production } from './locked-packages';

describe('the bill of materials', () => {
  interface Component {
    readonly type: string;
    readonly name: string;
    readonly group?: string;
    readonly version?: string;
    readonly purl?: string;
    readonly licenses?: readonly unknown[];
    readonly 'bom-ref'?: string;
    readonly components?: readonly Component[];
  }
  interface Bill {
    readonly bomFormat: string;
    readonly specVersion: string;
    readonly metadata: { readonly component: Component };
    readonly components: readonly Component[];
    readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[];
  }
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vitrine-sbom-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const read = async (name: string): Promise<Bill> =>
    JSON.parse(await readFile(await writeSbom(name, folder), 'utf8')) as Bill;
  const flat = (components: readonly Component[]): Component[] =>
    components.flatMap((component) => [component, ...flat(component.components ?? [])]);
  const nameOf = ({ group, name, version }: Component): string =>
    `${group ? `${group}/` : ''}${name} ${version}`;

  it('holds exactly the production packages', async () => {
    const bill = await read('vitrine');
    expect(bill).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6' });
    expect(bill.metadata.component).toMatchObject({ name: 'vitrine', type: 'application' });
    const components = flat(bill.components);
    const listed = new Set(components.map(nameOf));
    expect(production.filter(({ name, version }) => !listed.has(`${name} ${version}`)).map(label)).toEqual(
      [],
    );
    const wanted = new Set(production.map(({ name, version }) => `${name} ${version}`));
    const foreign = [...listed].filter((name) => !wanted.has(name) && !name.startsWith('@vitrine/'));
    expect(foreign).toEqual([]);
    for (const component of components) expect(component.purl).toMatch(/^pkg:npm\//);
    const refs = new Set([bill.metadata.component, ...components].map((component) => component['bom-ref']));
    for (const { ref, dependsOn = [] } of bill.dependencies) {
      expect([ref, ...dependsOn].filter((name) => !refs.has(name))).toEqual([]);
    }
  });

  it('of an image holds only the packages of the image', async () => {
    const listed = new Set(flat((await read('website')).components).map(({ name }) => name));
    expect([...listed]).toEqual(expect.arrayContaining(['preact', 'express']));
    for (const other of ['pg', 'typeorm', 'sharp']) expect(listed).not.toContain(other);
  });

  it('has the licence of what is in the program of node-av, which no image contains', async () => {
    const programs = async (name: string): Promise<Component[]> =>
      flat((await read(name)).components).filter(
        (component) => component.group === '@seydx' || component.name === 'node-av',
      );
    const licences = (await programs('vitrine'))
      .filter(({ group }) => group === '@seydx')
      .map(({ licenses }) => licenses);
    expect(licences.length).toBeGreaterThan(0);
    for (const licence of licences) {
      expect(licence).toEqual([expect.objectContaining({ expression: 'GPL-3.0-or-later AND FDK-AAC' })]);
    }
    expect(await programs('media-processor')).toEqual([]);
  });

  it('is written for existing images only', async () => {
    await expect(writeSbom('gateway', folder)).rejects.toThrow('There is no image gateway.');
  });
});
