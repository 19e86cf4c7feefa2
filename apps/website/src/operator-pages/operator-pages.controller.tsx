import { Controller, Get, NotFoundException, Req } from '@nestjs/common';
import type { Request } from 'express';
import { OPERATOR_PAGES, OperatorPages } from '../config/operator-pages';
import { Page } from '../results/page';

/** The pages that the operator has written: about, rules, terms, privacy, contact. */
@Controller()
export class OperatorPagesController {
  constructor(private readonly pages: OperatorPages) {}

  @Get(Object.keys(OPERATOR_PAGES))
  show(@Req() request: Request): Page {
    const page = this.pages.all.find(({ name }) => request.path === `/${name}`);
    if (!page) throw new NotFoundException();
    return new Page({
      title: page.title,
      head: { canonical: `/${page.name}` },
      body: (
        <>
          {!page.html.includes('<h1>') && <h1>{page.title}</h1>}
          <div class="rich-text" dangerouslySetInnerHTML={{ __html: page.html }} />
        </>
      ),
    });
  }
}
