import type { ComponentChildren, JSX } from 'preact';
import { Icon } from './icon';

/** The button "Share" with a menu of links and codes. */
export const ShareMenu = ({ children }: { readonly children: ComponentChildren }): JSX.Element => (
  <details class="fold" data-menu>
    <summary class="button">
      <Icon name="share" />
      <span>Share</span>
    </summary>
    <div class="fold-body">{children}</div>
  </details>
);
