import type { WebsiteConfig } from '../website.config';
import { html } from './html';
import { page } from './layout';

/** The front page, as long as the site itself is still to come; it says so. */
export function homePage({ api, upload }: Pick<WebsiteConfig, 'api' | 'upload'>): string {
  return page(
    'Vitrine: image and video hosting that anyone can run',
    html`
      <h1>Images and videos, hosted by you.</h1>
      <p class="lead">
        Vitrine takes a file, removes what it tells about you, makes every size of it, has it moderated, and
        gives direct links that work at once.
      </p>
      <p class="note">
        The site with feeds, profiles and uploads from the browser is still to come. Everything below works
        today, from programs and from the command line.
      </p>
      <h2>Send the first file</h2>
      <pre><code>npm run -s admin -- create-user ada
TOKEN=$(npm run -s admin -- token ada | tail -n 1)
curl -H "Authorization: Bearer $TOKEN" -F file=@photo.jpg ${upload}</code></pre>
      <h2>Addresses</h2>
      <dl>
        <dt>API</dt>
        <dd><a href="${api}/media">${api}</a></dd>
        <dt>Uploads</dt>
        <dd><code>POST ${upload}</code></dd>
      </dl>
    `,
  );
}
