import type { JSX } from 'preact';
import { CopyField } from '../components/copy-field';
import { useVisit } from '../rendering/visit-context';
import { headingOf } from './docs-frame';
import type { ApiReference } from './open-api';
import { Prose, Words } from './prose';
import { recipesFor } from './recipes';
import { LanguageChoice, SampleBlock } from './sample-block';

/** Where everything is, and what holds for every request. */
export function StartPage({ reference }: { readonly reference: ApiReference }): JSX.Element {
  const { urls, siteName } = useVisit();
  return (
    <>
      <h1>Build on {siteName}</h1>
      <p class="lead">
        Whatever this site does, your program can do: the site itself is a client of the same API, and of
        nothing else.
      </p>
      <div class="docs-addresses">
        <CopyField label="The API" value={urls.api} id="address-api" />
        <CopyField label="The upload" value={urls.upload} id="address-upload" />
        <CopyField label="Files" value={`${urls.cdn}/f/`} id="address-files" />
        <CopyField label="OpenAPI document" value={`${urls.api}/openapi.json`} id="address-document" />
      </div>
      <p>
        Begin with <a href="/settings/tokens">a token of your own</a>, kept in the environment as{' '}
        <code>TOKEN</code>; all samples read it there. Reading what is public needs none.{' '}
        <a href={`${urls.api}/openapi.json`}>openapi.json</a> has all of this for programs.
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

      <h2 id="groups">Everything there is</h2>
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

      <h3 id="authentication">Who asks</h3>
      <p>
        <code>Authorization: Bearer</code> with a token. An <a href="/settings/tokens">API token</a> (
        <code>vtr_…</code>) may do what its scopes say: <code>read</code>, <code>write</code>,{' '}
        <code>upload</code>. A session (<code>vts_…</code>, from{' '}
        <a href="/developers/auth#login">logging in</a>) may do everything; samples that need one read it from{' '}
        <code>SESSION</code>. A bad token is 401 even where none is needed.
      </p>

      <h3 id="pages">Lists</h3>
      <p>
        Lists come in pages of <code>limit</code> items, at most 250: <code>data</code>, <code>links</code>,{' '}
        <code>meta</code>. Follow <code>links.next</code> until it is null; it keeps every parameter.{' '}
        <code>meta.total</code> counts the whole list. What is nsfw is left out unless <code>nsfw=1</code>.
      </p>

      <h3 id="limits">Limits</h3>
      <p>
        Requests are counted by the minute, for each account with a token and for each address without one.{' '}
        <code>X-RateLimit-Limit</code>, <code>X-RateLimit-Remaining</code> and <code>X-RateLimit-Reset</code>{' '}
        tell how many there are, are left, and when the count begins anew (epoch seconds). 429 and 503 come
        with <code>Retry-After</code> in seconds; a refused request has changed nothing.
      </p>

      <h3 id="idempotency">Trying again</h3>
      <p>
        Give a <code>POST</code> an <code>Idempotency-Key</code> of your own making. Within 24 hours the same
        request with the same key is carried out once and answered alike, so it can be sent again whenever its
        answer was lost. Without one, a vote that is sent twice is taken back.
      </p>

      <h3 id="embedding">Links into pages</h3>
      <p>
        Every file’s address can be linked and embedded. Post pages carry OpenGraph, a player card for videos,
        and oEmbed at <code>{urls.site}/oembed?url=</code>.
      </p>

      <h2 id="errors">Errors</h2>
      <p>
        Every error has a <code>message</code>, a sentence for people. 422 has <code>errors</code> besides:
        sentences by field. Quote the header <code>X-Request-Id</code> when you report one.
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
