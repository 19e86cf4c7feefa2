import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';

/** The output folder of `build-assets.mjs`. */
export const ASSETS_FOLDER = join(__dirname, '../../dist/assets');

/**
 * The assets of the previous release, if the container image has them: pages that it served just before still request
 * them.
 */
export const PREVIOUS_ASSETS_FOLDER = join(__dirname, '../../previous-assets');

/** The addresses of scripts and styles. They contain a hash, so browsers can cache the files permanently. */
@Injectable()
export class AssetManifest {
  private readonly files = JSON.parse(readFileSync(join(ASSETS_FOLDER, 'manifest.json'), 'utf8')) as Readonly<
    Record<string, string>
  >;

  /** Path of an entry such as `site.css`. Throws if there is no such entry. */
  pathOf(entry: string): string {
    const file = this.files[entry];
    if (file === undefined) throw new Error(`There is no ${entry} among the assets.`);
    return `/assets/${file}`;
  }
}
