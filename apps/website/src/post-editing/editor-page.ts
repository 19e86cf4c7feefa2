import { Page, type PageOptions } from '../rendering/page';

/** A page of the editor: its owner's alone, and kept nowhere, since it holds keys. */
export const editorPage = (options: Pick<PageOptions, 'title' | 'body'> & { status?: number }): Page =>
  new Page({
    ...options,
    head: { robots: 'noindex' },
    secret: true,
    styles: ['editing.css'],
    scripts: ['editing.js'],
  });
