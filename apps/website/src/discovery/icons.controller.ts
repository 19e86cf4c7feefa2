import { join } from 'node:path';
import { Controller, Get, Res } from '@nestjs/common';
import type { Response } from 'express';
import { CurrentVisit } from '../visits/current-visit';
import type { Visit } from '../visits/visit';

/**
 * The icons in the folder `icons/`. `purpose` and `sizes` are those of the web manifest; icons without them are not in
 * it.
 */
export const ICONS = [
  { path: 'favicon.svg', type: 'image/svg+xml', sizes: 'any', purpose: 'any' },
  { path: 'icon-192.png', type: 'image/png', sizes: '192x192', purpose: 'any' },
  { path: 'icon-512.png', type: 'image/png', sizes: '512x512', purpose: 'any' },
  { path: 'icon-maskable-512.png', type: 'image/png', sizes: '512x512', purpose: 'maskable' },
  { path: 'apple-touch-icon.png', type: 'image/png' },
  { path: 'favicon.ico', type: 'image/x-icon' },
] as const;

/**
 * `favicon.svg` is the drawing; the other files are rendered from it. Those that systems crop have a margin in the
 * frame's colour.
 */
const FOLDER = join(__dirname, '../../icons');
const MAX_AGE = '1d';

/** The site's icons, at the addresses where browsers and phones look for them. */
@Controller()
export class IconsController {
  @Get(ICONS.map(({ path }) => path))
  icon(@CurrentVisit() { request }: Visit, @Res() response: Response): void {
    response.sendFile(request.path.slice(1), { root: FOLDER, maxAge: MAX_AGE });
  }
}
