import type { WebsiteConfig } from '../website.config';
import { html } from './html';
import { page } from './layout';

/** The front page, as long as the site itself is still to come; it promises nothing that isn't there. */
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
        This is an early version. Accounts, API tokens and uploads work today, from programs and from the
        command line. Posts, feeds, profiles and uploads from the browser are still to come.
      </p>
      <h2>Send the first file</h2>
      <pre><code>npm run -s admin -- create-user ada
TOKEN=$(npm run -s admin -- token ada | tail -n 1)
curl -H "Authorization: Bearer $TOKEN" \\
  -F file=@photo.jpg ${upload}</code></pre>
      <p>The answer holds the direct links of the file and of all its sizes.</p>
      <h2>Addresses</h2>
      <dl>
        <dt>API</dt>
        <dd><code>${api}</code></dd>
        <dt>Uploads</dt>
        <dd><code>POST ${upload}</code></dd>
      </dl>
    `,
  );
}
