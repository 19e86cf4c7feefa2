import { join } from 'node:path';
import { Controller, Get, Res } from '@nestjs/common';
import type { Response } from 'express';
import { CurrentVisit } from '../visits/current-visit';
import type { Visit } from '../visits/visit';
import { ICONS } from './icons';

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
