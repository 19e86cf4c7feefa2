import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';

/** Where the bundler of `build-assets.mjs` puts what browsers load. */
export const ASSETS_FOLDER = join(__dirname, '../../dist/assets');

/** The assets of the release before, where an image brings them: pages that it gave out a moment ago ask for them. */
export const PREVIOUS_ASSETS_FOLDER = join(__dirname, '../../previous-assets');

/** Under which addresses the scripts and styles are; each holds a hash, so that they can be kept for ever. */
@Injectable()
export class AssetManifest {
  private readonly files = JSON.parse(readFileSync(join(ASSETS_FOLDER, 'manifest.json'), 'utf8')) as Readonly<
    Record<string, string>
  >;

  /** Path of an entry, e.g. of `site.css`. Throws where there is none. */
  pathOf(entry: string): string {
    const file = this.files[entry];
    if (file === undefined) throw new Error(`There is no ${entry} among the assets.`);
    return `/assets/${file}`;
  }
}
