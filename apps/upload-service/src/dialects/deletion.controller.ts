import { Controller, Get, HttpCode, Param, Post, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { MediaDeletion, NotFoundError } from '@vitrine/domain';
import { Public, ReadsOwnBody } from '@vitrine/http';
import type { Response } from 'express';

/** Only the form on the page works. */
const PAGE_POLICY = "default-src 'none'; form-action 'self'; frame-ancestors 'none'";

/** The deletion page of one media item: anyone who knows its address may delete the item, and nothing else. */
@ApiExcludeController()
@Controller('d')
export class DeletionController {
  constructor(private readonly media: MediaDeletion) {}

  /** Deletes nothing: programs that preview links open every address. */
  @Get(':code')
  @Public()
  ask(@Param('code') code: string, @Res({ passthrough: true }) response: Response): string {
    if (!this.media.isDeletionCode(code)) throw new NotFoundError();
    return page(
      response,
      '<p>Delete this file for everyone? This cannot be undone.</p><form method="post"><button>Delete</button></form>',
    );
  }

  @Post(':code')
  @HttpCode(200)
  @Public()
  @ReadsOwnBody(true)
  async remove(@Param('code') code: string, @Res({ passthrough: true }) response: Response): Promise<string> {
    await this.media.removeWithCode(code);
    return page(response, '<p>The file has been deleted.</p>');
  }
}

/** A whole page around HTML that holds nothing of the request. */
function page(response: Response, content: string): string {
  response.type('text/html; charset=utf-8').set({
    'Content-Security-Policy': PAGE_POLICY,
    'X-Robots-Tag': 'noindex',
  });
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Delete a file</title>${content}</html>\n`;
}
