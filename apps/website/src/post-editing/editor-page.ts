import { Page, type PageOptions } from '../results/page';

/** A page of the editor. It contains keys, so it must not be stored. */
export const editorPage = (options: Pick<PageOptions, 'title' | 'body'> & { status?: number }): Page =>
  new Page({
    ...options,
    head: { robots: 'noindex' },
    secret: true,
    styles: ['editing.css'],
    scripts: ['editing.js'],
  });
