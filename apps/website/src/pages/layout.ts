import { html, type Html } from './html';

/** A whole page: head, the site's name, and the content. */
export function page(title: string, content: Html): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <link rel="icon" href="/icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/style.css" />
      </head>
      <body>
        <header>
          <a href="/"><img src="/icon.svg" alt="" width="32" height="32" />Vitrine</a>
        </header>
        <main>${content}</main>
      </body>
    </html>`.markup;
}
