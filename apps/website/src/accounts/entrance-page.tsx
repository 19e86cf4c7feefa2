import type { ComponentChildren } from 'preact';
import { Page, type PageOptions } from '../results/page';

interface EntranceOptions extends Pick<PageOptions, 'status' | 'scripts'> {
  readonly title: string;
  /** Default: the title. */
  readonly heading?: string;
}

/** A page on the way in or out of an account. Its address or fields may be secret. */
export const entrancePage = (
  { title, heading = title, ...options }: EntranceOptions,
  content: ComponentChildren,
): Page =>
  new Page({
    ...options,
    title,
    head: { robots: 'noindex' },
    styles: ['account.css'],
    secret: true,
    body: (
      <div class="entrance">
        <h1>{heading}</h1>
        {content}
      </div>
    ),
  });
