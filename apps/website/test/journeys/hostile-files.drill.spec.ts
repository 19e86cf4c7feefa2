import type { Media } from '@vitrine/client';
import { describeWithChromium, type Person, type Stack, borrowStack } from '@vitrine/testing';
import type { Page } from 'playwright-core';
import { type ForeignSite, startForeignSite } from '../support/foreign-site';
import { upload } from '../support/gallery';
import { useBrowser, type Visitor } from '../support/visitor';

/** What each of the files below does if anything in it runs: it requests this address. */
const CANARY = '/script-of-a-file-ran';
const SCRIPT = `fetch('${CANARY}');document.title='ran';console.error('ran');alert(1)`;

const svg = (content: string, attributes = ''): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="80" height="60" ${attributes}>${content}<rect width="80" height="60" fill="teal"/></svg>`;

/** A complete GIF of one pixel with arbitrary bytes in a comment block. */
const gif = (comment: string): Buffer =>
  Buffer.concat([
    Buffer.from('GIF89a\x01\x00\x01\x00\x80\x00\x00\xff\xff\xff\x00\x00\x00', 'latin1'),
    Buffer.from('\x21\xfe', 'latin1'),
    ...(comment.match(/.{1,255}/gs) ?? []).flatMap((part) => [Buffer.from([part.length]), Buffer.from(part)]),
    Buffer.from([0]),
    Buffer.from('\x2c\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02\x44\x01\x00\x3b', 'latin1'),
  ]);

const FILES: readonly (readonly [what: string, name: string, bytes: string | Buffer])[] = [
  ['an SVG with a script', 'a.svg', svg(`<script>${SCRIPT}</script>`)],
  ['an SVG with handlers', 'b.svg', svg(`<image href="x" onerror="${SCRIPT}"/>`, `onload="${SCRIPT}"`)],
  [
    'an SVG with HTML in it',
    'c.svg',
    svg(
      `<foreignObject width="80" height="60"><body xmlns="http://www.w3.org/1999/xhtml" onload="${SCRIPT}"><script>${SCRIPT}</script></body></foreignObject>`,
    ),
  ],
  [
    'an SVG whose link is a script',
    'd.svg',
    svg(`<a xlink:href="javascript:${SCRIPT}"><rect width="80" height="60"/></a>`),
  ],
  [
    'an SVG that animates its way to one',
    'e.svg',
    svg(
      `<set attributeName="onmouseover" to="${SCRIPT}"/><animate attributeName="href" values="javascript:${SCRIPT}"/>`,
    ),
  ],
  [
    'an SVG with a style sheet of instructions',
    'f.svg',
    `<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="data:text/xml,x"?>${svg(`<script>${SCRIPT}</script>`)}`,
  ],
  ['an SVG with entities', 'g.svg', `<!DOCTYPE svg [<!ENTITY s "<script>${SCRIPT}</script>">]>${svg('&s;')}`],
  [
    'an HTML page that begins as a GIF',
    'h.gif',
    Buffer.concat([gif(''), Buffer.from(`<html><script>${SCRIPT}</script>`)]),
  ],
  [
    'a GIF whose comment is a page',
    'i.gif',
    gif(`--><html><body onload="${SCRIPT}"><script>${SCRIPT}</script>`),
  ],
  [
    'a GIF that is a script too',
    'j.gif',
    Buffer.concat([Buffer.from('GIF89a/*'), gif(`*/=1;${SCRIPT}//`).subarray(6)]),
  ],
  [
    'an SVG that is another XML too',
    'k.svg',
    `<?xml version="1.0"?><x:html xmlns:x="http://www.w3.org/1999/xhtml"><x:script>${SCRIPT}</x:script>${svg('')}</x:html>`,
  ],
  ['a page under the name of a picture', 'l.png', `<!doctype html><script>${SCRIPT}</script>`],
];

describeWithChromium('files with scripts', () => {
  const { start, arrive } = useBrowser();
  let stack: Stack;
  let foreign: ForeignSite;
  let mallory: Person;
  const taken: { what: string; media: Media }[] = [];
  const refused: string[] = [];

  beforeAll(async () => {
    [stack, foreign] = await Promise.all([start(borrowStack()), startForeignSite()]);
    mallory = await stack.createPerson('mallory');
    for (const [what, name, bytes] of FILES) {
      const file = { name, mimeType: '', buffer: Buffer.from(bytes) };
      await upload(mallory.client, file).then(
        (media) => taken.push({ what, media }),
        () => refused.push(what),
      );
    }
  });
  afterAll(() => foreign?.close());

  /** A visitor, and whether anything has run. */
  const witness = async (): Promise<{ visitor: Visitor; ran: string[] }> => {
    const visitor = await arrive();
    const ran: string[] = [];
    visitor.context.on('request', (request) => {
      if (request.url().includes(CANARY)) ran.push(request.url());
    });
    visitor.context.on('console', (message) => {
      if (message.text() === 'ran') ran.push(message.location().url);
    });
    visitor.page.on('dialog', (dialog) => {
      ran.push(`alert of ${visitor.page.url()}`);
      void dialog.dismiss();
    });
    return { visitor, ran };
  };
  /** Waits until any script would have run. */
  const painted = (page: Page): Promise<void> =>
    page.evaluate(async () => {
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      await new Promise((done) => setTimeout(done, 0));
    });

  it('are detected by this test if they run', async () => {
    const { visitor, ran } = await witness();
    await visitor.page.route('**/control', (route) =>
      route.fulfill({ contentType: 'text/html', body: `<script>${SCRIPT}</script>` }),
    );
    await visitor.page.goto('/control');
    await painted(visitor.page);
    expect(ran.length).toBeGreaterThanOrEqual(3);
  });

  it('are accepted only if they are pictures', () => {
    expect(refused).toEqual(expect.arrayContaining(['a page under the name of a picture']));
    expect(taken.map(({ what }) => what)).toEqual(
      expect.arrayContaining(['an SVG with a script', 'a GIF whose comment is a page']),
    );
  });

  // Promise [website]: An uploaded file runs no script on any origin.
  it('run nothing if they are opened directly, under any of their addresses', async () => {
    const { visitor, ran } = await witness();
    for (const { media } of taken) {
      const base = media.urls.original.replace(/\.[^./]+$/, '');
      for (const url of [
        media.urls.original,
        media.urls.sm,
        `${base}.html`,
        `${base}.js`,
        `${base}.svg`,
        `${base}_md.html`,
      ]) {
        await visitor.page.goto(url, { waitUntil: 'load' }).catch((error: Error) => {
          // The variant doesn't exist yet, or the browser downloads the file.
          if (!/ERR_ABORTED|Download|ERR_INVALID_RESPONSE|ERR_HTTP_RESPONSE_CODE/.test(error.message))
            throw error;
        });
        // A sandboxed page has no frames to wait for; a click is handled after everything that loading has started.
        await visitor.page.mouse.click(40, 30);
        expect({ url, ran, title: await visitor.page.title() }).not.toMatchObject({ title: 'ran' });
      }
    }
    expect(ran).toEqual([]);
  });

  it('run nothing in pages that show them or try to run them', async () => {
    const post = await mallory.client.posts.create({
      media_ids: taken.map(({ media }) => media.id),
      title: 'Files',
    });
    const { visitor, ran } = await witness();
    await visitor.page.goto(`/p/${post.slug}`);
    await painted(visitor.page);
    for (const { media } of taken) {
      await visitor.page.goto(`/m/${media.slug}`);
      await painted(visitor.page);
    }
    expect(ran).toEqual([]);

    const urls = taken.map(({ media }) => media.urls.original);
    foreign.show(
      '/embedding',
      urls
        .map(
          (url) =>
            `<iframe src="${url}"></iframe><object data="${url}"></object><embed src="${url}">
             <script src="${url}"></script>`,
        )
        .join(''),
    );
    for (const origin of [foreign.url, foreign.neighbourUrl]) {
      await visitor.page.goto(`${origin}/embedding`);
      await painted(visitor.page);
      // The page is shown and not blocked by something else.
      const shown = visitor.page.frames().map((frame) => frame.url());
      expect(shown).toEqual(expect.arrayContaining(urls));
    }
    expect(ran).toEqual([]);
  });
});
