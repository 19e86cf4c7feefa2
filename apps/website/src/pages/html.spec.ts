import { html } from './html';

describe('html', () => {
  it('escapes every value that is not markup itself', () => {
    const { markup } = html`<p title="${`"'`}">${'<script>&'} ${html`<b>${'<'}</b>`}</p>`;

    expect(markup).toBe('<p title="&quot;&#39;">&lt;script&gt;&amp; <b>&lt;</b></p>');
  });
});
