import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The files of the demo: `site.json` has the texts, `avatars` and `pictures` the files that are uploaded. */
export const DEMO_FOLDER = resolve(__dirname, '../assets');

/** The people and posts of the demo site, which are invented, and what people say about the posts. */
export interface DemoContent {
  readonly people: readonly DemoPerson[];
  /** Oldest first. */
  readonly posts: readonly DemoPost[];
  /** Top-level comments, by the kind of picture. */
  readonly remarks: Readonly<Record<Mood, readonly string[]>>;
  /** Replies to these comments. */
  readonly replies: readonly string[];
}

/** The avatar is `avatars/USERNAME.png`. */
export interface DemoPerson {
  readonly username: string;
  readonly bio: string | null;
  readonly role?: 'moderator';
}

/** The kind of comments under a post. */
type Mood = 'place' | 'maths' | 'pattern' | 'print' | 'chart' | 'motion';

export interface DemoPost {
  readonly by: string;
  readonly title: string | null;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly mood: Mood;
  readonly visibility?: 'hidden' | 'private';
  readonly pictures: readonly DemoPicture[];
}

/** A file in `pictures`, with the facts that upload-service would read from it. */
export interface DemoPicture {
  readonly file: string;
  readonly width: number;
  readonly height: number;
  /** The number of frames; animations only. */
  readonly frames?: number;
  /** Seconds; clips only. */
  readonly duration?: number;
}

export const readDemoContent = (): DemoContent =>
  JSON.parse(readFileSync(join(DEMO_FOLDER, 'site.json'), 'utf8')) as DemoContent;

export const withoutClips = (content: DemoContent): DemoContent => ({
  ...content,
  posts: content.posts.filter(({ pictures }) => pictures.every(({ duration }) => duration === undefined)),
});
