import { MAX_LIMIT } from '@vitrine/contracts';
import type { JSX } from 'preact';
import { CopyField } from '../components/copy-field';
import { useVisit } from '../components/visit-context';
import { headingOf } from './docs-frame';
import type { ApiReference } from './open-api';
import { Prose, Words } from './prose';
import { recipesFor } from './recipes';
import { LanguageChoice, SampleBlock } from './sample-block';

/** The start page: addresses, recipes, and the rules that apply to every request. */
export function StartPage({ reference }: { readonly reference: ApiReference }): JSX.Element {
  const { urls, siteName } = useVisit();
  return (
    <>
      <h1>Build on {siteName}</h1>
      <p class="lead">
        Your program can do everything that this site does: the site itself uses only this API.
      </p>
      <div class="docs-addresses">
        <CopyField label="API" value={urls.api} id="address-api" />
        <CopyField label="Upload" value={urls.upload} id="address-upload" />
        <CopyField label="Files" value={`${urls.cdn}/f/`} id="address-files" />
        <CopyField label="OpenAPI document" value={`${urls.api}/openapi.json`} id="address-document" />
      </div>
      <p>
        Start by creating <a href="/settings/tokens">an API token</a> and storing it in the environment
        variable <code>TOKEN</code>, where all samples read it. You need no token to read public content.{' '}
        <a href={`${urls.api}/openapi.json`}>openapi.json</a> describes the whole API in a machine-readable
        form.
      </p>

      <section aria-labelledby="recipes">
        <h2 id="recipes">Recipes</h2>
        <LanguageChoice />
        {recipesFor(urls).map(({ id, title, text, samples }) => (
          <section class="recipe" id={id} aria-labelledby={`${id}-title`}>
            <h3 id={`${id}-title`}>{title}</h3>
            <p>
              <Words text={text} />
            </p>
            <SampleBlock id={id} samples={samples} />
          </section>
        ))}
      </section>

      <h2 id="groups">All operations</h2>
      <ul class="docs-groups plain-list">
        {reference.groups.map(({ name, description, operations }) => (
          <li>
            <a href={`/developers/${name}`}>
              <strong>{headingOf(name)}</strong>
              <span>{description}</span>
              <span class="quiet small">
                {operations.length === 1 ? '1 operation' : `${operations.length} operations`}
              </span>
            </a>
          </li>
        ))}
      </ul>

      <h2 id="requests">Requests</h2>
      <Prose text={reference.description} />

      <h3 id="authentication">Authentication</h3>
      <p>
        Send a token in the header <code>Authorization: Bearer</code>. An{' '}
        <a href="/settings/tokens">API token</a> (<code>vtr_…</code>) may do what its scopes allow:{' '}
        <code>read</code>, <code>write</code>, <code>upload</code>. A session (<code>vts_…</code>, from{' '}
        <a href="/developers/auth#login">logging in</a>) may do everything; samples that need one read it from{' '}
        <code>SESSION</code>. An invalid token gives 401, even where no token is needed.
      </p>

      <h3 id="pages">Lists</h3>
      <p>
        Lists are divided into pages of <code>limit</code> items, at most {MAX_LIMIT}: <code>data</code>,{' '}
        <code>links</code>, <code>meta</code>. Follow <code>links.next</code> until it is null; the link keeps
        every parameter. <code>meta.total</code> counts the whole list. NSFW items are left out unless you
        send <code>nsfw=1</code>.
      </p>

      <h3 id="limits">Limits</h3>
      <p>
        Requests are counted per minute: per account with a token, per address without one.{' '}
        <code>X-RateLimit-Limit</code>, <code>X-RateLimit-Remaining</code> and <code>X-RateLimit-Reset</code>{' '}
        say how many requests are allowed, how many are left, and when the count starts again (epoch seconds).
        429 and 503 responses have <code>Retry-After</code> in seconds. A refused request has changed nothing.
      </p>

      <h3 id="idempotency">Retrying</h3>
      <p>
        Give a <code>POST</code> an <code>Idempotency-Key</code> that you choose. Within 24 hours, the same
        request with the same key is executed only once and gets the same response, so you can safely repeat a
        request whose response was lost. Without a key, repeating a vote removes it.
      </p>

      <h3 id="embedding">Links and embeds</h3>
      <p>
        Every file’s address can be linked and embedded. Post pages have OpenGraph data, a player card for
        videos, and oEmbed at <code>{urls.site}/oembed?url=</code>.
      </p>

      <h2 id="errors">Errors</h2>
      <p>
        Every error has a <code>message</code>: a sentence for people. A 422 response also has{' '}
        <code>errors</code>: sentences by field. Quote the response header <code>X-Request-Id</code> when you
        report an error.
      </p>
      <dl class="fields">
        {reference.errors.map(({ status, description }) => (
          <div id={`error-${status}`}>
            <dt>
              <code>{status}</code>
            </dt>
            <dd>
              <Words text={description} />
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}
