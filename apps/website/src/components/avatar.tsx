import type { JSX } from 'preact';

interface AvatarProps {
  readonly user: { readonly username: string; readonly avatar: string | null };
  /** Edge in pixels: 24, 32, 40 or 96. */
  readonly size?: 24 | 32 | 40 | 96;
}

/** Number of background colours for the initials of people without a picture. */
const TINTS = 6;

/** A person's picture, or their initial. It has no alternative text, because the name stands beside it. */
export function Avatar({ user, size = 32 }: AvatarProps): JSX.Element {
  if (user.avatar !== null) {
    return (
      <img
        class={`avatar avatar-${size}`}
        src={user.avatar}
        alt=""
        width={size}
        height={size}
        loading="lazy"
      />
    );
  }
  const tint =
    [...user.username.toLowerCase()].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % TINTS;
  return (
    <span class={`avatar avatar-${size} tint-${tint}`} aria-hidden="true">
      {user.username.charAt(0).toUpperCase()}
    </span>
  );
}
