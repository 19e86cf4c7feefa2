import { borrowStack, describeWithChromium, eventually, type Stack } from '@vitrine/testing';
import { audit } from './support/audit';
import { PHONE, useBrowser, type Visitor } from './support/visitor';

// Proves that the audit finds problems, because all other browser suites rely on it.
describeWithChromium('the page audit', () => {
  const { start, arrive } = useBrowser();
  let stack: Stack;
  let visitor: Visitor;

  beforeAll(async () => {
    stack = await start(borrowStack({ without: ['media-processor', 'moderation-service'] }));
  });

  const visit = async (html: string, headers: Record<string, string> = {}): Promise<Visitor> => {
    visitor = await arrive({ width: PHONE });
    await visitor.page.route('**/page-under-test', (route) =>
      route.fulfill({ body: html, contentType: 'text/html; charset=utf-8', headers }),
    );
    await visitor.page.route('**/unreachable.png', (route) => route.abort('connectionrefused'));
    await visitor.page.goto('/page-under-test');
    return visitor;
  };
  const pageOf = (body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta name="viewport" content="width=device-width">
<title>A page</title>
<link rel="icon" href="data:,">
</head>
<body>
<main>
<h1>A page</h1>
${body}
</main>
</body>
</html>
`;

  it('accepts a page without problems', async () => {
    const { page, assertClean } = await visit(pageOf('<p>Nothing to see.</p>'));
    await audit(page, 'harness-good');
    assertClean();
  });

  it.each([
    ['a picture without a text alternative', '<img src="data:," width="1" height="1">', /axe image-alt/],
    ['grey on grey', '<p style="color: #999; background: #aaa">Hardly</p>', /axe color-contrast/],
    ['a tag that is not closed', '<div><p>Open</p>', /html close-order/],
    [
      'a line that is too wide',
      '<p style="width: 500px">Wide</p>',
      /scrolls sideways: \d+ px in a window of 390 px/,
    ],
  ])('reports %s', async (_, body, wrong) => {
    const { page } = await visit(pageOf(body));
    await expect(audit(page, 'harness-bad')).rejects.toThrow(wrong);
  });

  it('reports layout shifts', async () => {
    const { page } = await visit(pageOf('<p id="late"></p><p>Some words that are pushed down.</p>'));
    await page.evaluate(async () => {
      const painted = (): Promise<unknown> =>
        new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      // Small shifts while the page is being parsed are allowed.
      while (document.readyState !== 'complete') await painted();
      await painted();
      document.getElementById('late')!.style.height = '200px';
      await painted();
    });
    await expect(audit(page, 'harness-bad')).rejects.toThrow(/layout shift of 0\.\d+ after \d+ ms: <p/);
  });

  it.each([
    ['an error in the console', '<script>console.error("oh")</script>', {}, /console: oh/],
    ['a script that throws', '<script>throw new Error("no")</script>', {}, /script: Error: no/],
    ['a request to another host', '<img src="http://elsewhere.invalid/" alt="">', {}, /request elsewhere/],
    [
      'what the policy stops',
      '<script>1</script>',
      { 'Content-Security-Policy': "script-src 'none'" },
      /Content.Security.Policy/,
    ],
    [
      'what a policy only reports',
      '<script>1</script>',
      { 'Content-Security-Policy-Report-Only': "script-src-elem 'none'" },
      /Content.Security.Policy/,
    ],
    ['a picture that is not there', '<img src="/nothing.png" alt="">', {}, /status of 404 .*nothing\.png/],
    ['a server that is not there', '<img src="/unreachable.png" alt="">', {}, /failed: .*unreachable\.png/],
  ])('reports %s', async (_, body, headers, trouble) => {
    const { assertClean } = await visit(pageOf(body), headers);
    await eventually(() => expect(() => assertClean()).toThrow(trouble));
    expect(() => assertClean()).not.toThrow();
  });

  it('creates a person who can use the API, with a role', async () => {
    const ada = await stack.createPerson('ada', { role: 'moderator' });
    expect(await ada.client.me.get()).toMatchObject({ username: 'ada', role: 'moderator' });
    expect((await ada.client.moderation.queue.list()).data).toEqual([]);
  });
});
