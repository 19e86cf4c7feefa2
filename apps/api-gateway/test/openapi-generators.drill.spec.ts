import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  createProgram,
  flattenDiagnosticMessageText,
  type CompilerOptions,
  ModuleKind,
  ModuleResolutionKind,
  ScriptTarget,
} from 'typescript';

// The generators run as programs: Jest can't load ES modules.
const ROOT = resolve(__dirname, '../../..');
const DOCUMENT = join(ROOT, 'docs/openapi.json');

const STRICT: CompilerOptions = {
  strict: true,
  noEmit: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  target: ScriptTarget.ES2022,
  module: ModuleKind.ESNext,
  moduleResolution: ModuleResolutionKind.Bundler,
  lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  types: [],
};

describe('programs that generate clients from docs/openapi.json', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(ROOT, 'node_modules/.vitrine-generated-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const run = (program: string, ...parameters: string[]): void => {
    const file = join(ROOT, 'node_modules', program);
    execFileSync(process.execPath, [file, ...parameters], { cwd: folder, stdio: 'pipe' });
  };
  /** The errors of the compiler in a program that uses what was generated. */
  const errorsIn = (source: string, options: CompilerOptions = {}): string[] => {
    const file = join(folder, 'use.ts');
    writeFileSync(file, source);
    const program = createProgram([file], { ...STRICT, ...options });
    const diagnostics = [...program.getOptionsDiagnostics(), ...program.getSemanticDiagnostics()];
    return diagnostics.map(
      ({ file: at, messageText }) =>
        `${at?.fileName ?? ''}: ${flattenDiagnosticMessageText(messageText, '\n')}`,
    );
  };

  // Promise [requests]: Common generators make clients from the document that compile.
  it('openapi-typescript makes types that compile, with the names of lists and webhooks', () => {
    run('openapi-typescript/bin/cli.js', DOCUMENT, '--output', join(folder, 'api.ts'));

    const errors = errorsIn(`
      import type { components, operations, webhooks } from './api';
      type Schemas = components['schemas'];
      type Answer = operations['listMedia']['responses'][200]['content']['application/json'];
      type Body = webhooks['media.moderated']['post']['requestBody']['content']['application/json'];
      export const slugs = (list: Answer & Schemas['MediaList']): string[] => list.data.map(({ slug }) => slug);
      export const authors = (list: Schemas['PostList']) => list.data.map(({ user }) => user?.username);
      export const texts = (list: Schemas['CommentList']): string[] => list.data.map(({ content }) => content);
      export const status = ({ data }: Body): 'approved' | 'pending' | 'nsfw' | 'rejected' => data.to;
      // @ts-expect-error: no event has this field.
      export const nothing = ({ data }: Body) => data.nothing;
    `);

    expect(errors).toEqual([]);
  });

  it('Hey API makes a client that compiles, with a method for each operation', () => {
    run(
      '@hey-api/openapi-ts/bin/run.js',
      '--input',
      DOCUMENT,
      '--output',
      join(folder, 'client'),
      '--silent',
    );

    const errors = errorsIn(
      `
      import { createComment, getMedia, listMedia, updateComment, uploadMedia } from './client';
      import type { CommentList, MediaList, MediaModeratedEvent } from './client';
      export const all = async (file: Blob): Promise<MediaList | undefined> => {
        await uploadMedia({ body: { file }, headers: { 'Idempotency-Key': crypto.randomUUID() } });
        await createComment({ path: { post: 'aB3dE5f' }, body: { content: 'Hello' } });
        await updateComment({ path: { comment: 1 }, body: { content: 'Hello!' } });
        const { data } = await getMedia({ path: { slug: 'aB3dE5f' }, query: { wait: 20 } });
        data?.data.pending_on satisfies 'machine' | 'person' | null | undefined;
        return (await listMedia()).data;
      };
      export const texts = (list: CommentList): string[] => list.data.map(({ content }) => content);
      export const status = ({ data }: MediaModeratedEvent): string => data.to;
      `,
      { exactOptionalPropertyTypes: false, noUncheckedIndexedAccess: false, skipLibCheck: true },
    );

    expect(errors).toEqual([]);
  });
});
