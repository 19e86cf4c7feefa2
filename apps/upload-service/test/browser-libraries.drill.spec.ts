import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFile } from 'node:fs/promises';
import { describeWithChromium, launchChromium } from '@vitrine/testing';
import { build } from 'esbuild';
import type { Browser } from 'playwright-core';
import { png } from './support/samples';
import { UPLOAD_PATH } from './support/uploads';
import { type Account, startUploadHost, type UploadHost } from './support/upload-host';

interface Library {
  readonly name: string;
  /** The library's module, as browsers load it. */
  script(): Promise<string | Uint8Array>;
  /** Selector of the element in which the user chooses a file. */
  readonly input: string;
  /** Selector of the element that shows that the upload has succeeded. */
  readonly success: string;
  /** Selector of the element that shows that the upload was refused. */
  readonly failure: string;
  readonly html: string;
  /** Sets the library up as its documentation says. `upload` and `headers` are in scope, and `show` gets the answer. */
  readonly setup: string;
}

const fileOf = (path: string) => () => readFile(require.resolve(path));

const LIBRARIES: readonly Library[] = [
  {
    name: 'Dropzone',
    script: fileOf('dropzone/dist/dropzone.mjs'),
    input: '.dz-hidden-input',
    success: '.dz-success',
    failure: '.dz-error',
    html: '<form id="target" class="dropzone"></form>',
    setup: `
      library.Dropzone.autoDiscover = false;
      const dropzone = new library.Dropzone('#target', { url: upload, headers, paramName: 'file' });
      dropzone.on('success', (file, answer) => show(answer));`,
  },
  {
    name: 'FilePond',
    script: fileOf('filepond/dist/filepond.esm.js'),
    input: '.filepond--browser',
    success: '[data-filepond-item-state="processing-complete"]',
    failure: '[data-filepond-item-state="processing-error"]',
    html: '<input id="target" type="file">',
    setup: `
      library.create(document.querySelector('#target'), {
        name: 'file',
        instantUpload: true,
        server: {
          process: {
            url: upload,
            headers,
            onload: (text) => { show(JSON.parse(text)); return JSON.parse(text).media.slug; },
          },
          revert: null,
        },
      });`,
  },
  {
    name: 'Uppy',
    script: async () => {
      const { outputFiles } = await build({
        stdin: {
          contents: `export { default as Uppy } from '@uppy/core'; export { default as XHRUpload } from '@uppy/xhr-upload';`,
          resolveDir: __dirname,
        },
        bundle: true,
        format: 'esm',
        write: false,
        logLevel: 'error',
      });
      return outputFiles[0]!.contents;
    },
    input: '#target',
    success: '#uppy.complete',
    failure: '#uppy.failed',
    html: '<input id="target" type="file"><p id="uppy"></p>',
    setup: `
      const state = document.querySelector('#uppy');
      const uppy = new library.Uppy({ autoProceed: true })
        .use(library.XHRUpload, { endpoint: upload, headers, fieldName: 'file' })
        .on('upload-success', (file, { body }) => { show(body); state.className = 'complete'; })
        .on('upload-error', () => { state.className = 'failed'; });
      document.querySelector('#target').addEventListener('change', ({ target }) => {
        for (const data of target.files) uppy.addFile({ name: data.name, type: data.type, data });
      });`,
  },
];

const pageOf = ({ html, setup }: Library, upload: string, token: string): string => `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Upload</title>
${html}<output></output>
<script type="module">
  import * as library from '/library.js';
  const upload = ${JSON.stringify(upload)};
  const headers = { Authorization: ${JSON.stringify(`Bearer ${token}`)} };
  const show = ({ media }) => { document.querySelector('output').textContent = media.urls.original; };
  ${setup}
</script>`;

describeWithChromium('a page of another origin that uploads with', () => {
  let host: UploadHost;
  let account: Account;
  let browser: Browser;
  beforeAll(async () => {
    [host, browser] = await Promise.all([startUploadHost(), launchChromium()]);
    account = await host.createAccount(['upload']);
  });
  afterAll(async () => {
    await browser.close();
    await host.close();
  });

  describe.each(LIBRARIES)('$name', (library) => {
    let site: Server;
    let address: string;
    let script: string | Uint8Array;
    beforeAll(async () => {
      script = await library.script();
      site = createServer((request, response) => {
        const isScript = request.url === '/library.js';
        response.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html; charset=utf-8');
        response.end(isScript ? script : pageOf(library, host.url + UPLOAD_PATH, account.token));
      }).listen(0, '127.0.0.1');
      await once(site, 'listening');
      address = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;
    });
    afterAll(() => void site.close());

    const choose = async (buffer: Buffer) => {
      const page = await browser.newPage();
      await page.goto(address);
      const input = page.locator(library.input);
      await input.waitFor({ state: 'attached' });
      await input.setInputFiles({ name: 'harbour.png', mimeType: 'image/png', buffer });
      return page;
    };

    // Promise [programs]: Dropzone, FilePond and Uppy upload from pages of other origins.
    it('shows its success; the file is served', async () => {
      const picture = png(60, 40);
      const page = await choose(picture);
      await page.locator(library.success).waitFor({ state: 'attached' });
      const link = await page.locator('output').textContent();
      expect(link).toMatch(/^http:\/\/cdn\.test\/f\/\w{7}\.png$/);
      const served = await fetch(host.url + new URL(link!).pathname);
      expect(Buffer.from(await served.arrayBuffer())).toEqual(picture);
      await page.close();
    });

    it('shows that a file was refused', async () => {
      const page = await choose(Buffer.from('This is not a picture. '.repeat(20)));
      await page.locator(library.failure).waitFor({ state: 'attached' });
      await page.close();
    });
  });
});
