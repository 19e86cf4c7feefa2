import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import MarkdownIt from 'markdown-it';
import { WebsiteConfig } from './website.config';

/** The pages that an operator can write, by the last part of their path, which is also the name of the file. */
export const OPERATOR_PAGES = {
  about: 'About',
  rules: 'Rules',
  terms: 'Terms',
  privacy: 'Privacy',
  contact: 'Contact',
} as const;

export type OperatorPageName = keyof typeof OPERATOR_PAGES;

/** A page that exists. */
export interface OperatorPage {
  readonly name: OperatorPageName;
  readonly title: string;
  /** Its content as markup. */
  readonly html: string;
}

/** The operator's pages, read once when the process starts from `<name>.md` in `SITE_PAGES_DIR`. HTML in them is text. */
@Injectable()
export class OperatorPages {
  readonly all: readonly OperatorPage[];

  constructor({ pagesDir }: WebsiteConfig) {
    const markdown = new MarkdownIt({ linkify: true, typographer: true });
    this.all = (Object.keys(OPERATOR_PAGES) as OperatorPageName[]).flatMap((name) => {
      const path = pagesDir === '' ? '' : join(pagesDir, `${name}.md`);
      if (path === '' || !existsSync(path)) return [];
      return [{ name, title: OPERATOR_PAGES[name], html: markdown.render(readFileSync(path, 'utf8')) }];
    });
  }
}
