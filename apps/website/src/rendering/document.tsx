import type { JSX } from 'preact';
import { Layout } from './layout';
import type { AssetManifest } from './asset-manifest';
import type { PageHead, PageOptions } from '../results/page';
import { type PageContext, VisitContext } from '../components/visit-context';

interface DocumentProps {
  readonly page: PageOptions;
  readonly assets: AssetManifest;
  readonly context: PageContext;
}

/** Blocks rendering until `#main` is parsed: a partly loaded header would shift (HTML, link type "expect"). */
const BLOCK_RENDERING = { blocking: 'render' } as const;

/** A whole page, from `<html>` on. */
export function Document({ page, assets, context }: DocumentProps): JSX.Element {
  const { siteName, urls } = context;
  const { theme } = context.visit;
  const darkMedia = theme === 'dark' ? '(min-width: 0)' : '(prefers-color-scheme: dark)';
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{page.title === null ? siteName : `${page.title} - ${siteName}`}</title>
        <meta name="color-scheme" content={theme ?? 'light dark'} />
        {theme !== 'dark' && (
          <meta
            name="theme-color"
            media={theme ? 'all' : '(prefers-color-scheme: light)'}
            content="#fbfaf8"
          />
        )}
        {theme !== 'light' && <meta name="theme-color" media={darkMedia} content="#131211" />}
        <Head head={page.head ?? {}} site={urls.site} />
        <link rel="expect" href="#main" {...BLOCK_RENDERING} />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="manifest" href="/manifest.webmanifest" />
        {['site.css', ...(page.styles ?? [])].map((entry) => (
          <link rel="stylesheet" href={assets.pathOf(entry)} />
        ))}
        {theme !== 'light' && (
          <link rel="stylesheet" href={assets.pathOf('dark.css')} media={`screen and ${darkMedia}`} />
        )}
        {['site.js', ...(page.scripts ?? [])].map((entry) => (
          <script type="module" src={assets.pathOf(entry)} />
        ))}
      </head>
      <VisitContext.Provider value={context}>
        <Layout width={page.width ?? 'text'} search={page.search}>
          {page.body}
        </Layout>
      </VisitContext.Provider>
    </html>
  );
}

function Head({ head, site }: { readonly head: PageHead; readonly site: string }): JSX.Element {
  const { description, canonical, robots, openGraph = [], meta = [], links = [], jsonLd = [] } = head;
  return (
    <>
      {description !== undefined && <meta name="description" content={description} />}
      {robots !== undefined && <meta name="robots" content={robots} />}
      {canonical !== undefined && <link rel="canonical" href={site + canonical} />}
      {openGraph.map(([property, content]) => (
        <meta property={property} content={String(content)} />
      ))}
      {meta.map(([name, content]) => (
        <meta name={name} content={String(content)} />
      ))}
      {links.map((link) => (
        <link {...link} />
      ))}
      {jsonLd.map((data) => (
        <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: toScriptText(data) }} />
      ))}
    </>
  );
}

/** JSON for a script element; escaped so that no text in it can end the element (HTML, 4.12.1.3). */
const toScriptText = (value: object): string => JSON.stringify(value).replace(/</g, '\\u003c');
