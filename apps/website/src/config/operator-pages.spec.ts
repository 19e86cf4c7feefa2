import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OperatorPages } from './operator-pages';
import type { WebsiteConfig } from './website.config';

describe('OperatorPages', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-pages-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const read = (pagesDir: string) => new OperatorPages({ pagesDir } as WebsiteConfig).all;

  it('are the Markdown files that exist, with HTML as text and no links to scripts', () => {
    writeFileSync(join(folder, 'about.md'), '# Us\n\n<script>alert(1)</script> [x](javascript:alert(1))');
    writeFileSync(join(folder, 'privacy.md'), 'We **store** little.');
    writeFileSync(join(folder, 'other.md'), 'No page.');
    const pages = read(folder);
    expect(pages.map(({ name, title }) => [name, title])).toEqual([
      ['about', 'About'],
      ['privacy', 'Privacy'],
    ]);
    expect(pages[0]?.html).toContain('<h1>Us</h1>');
    expect(pages[0]?.html).not.toMatch(/<script|href/);
    expect(pages[1]?.html).toBe('<p>We <strong>store</strong> little.</p>\n');
  });

  it('are none without a folder', () => expect(read('')).toEqual([]));
});
