import { Controller, Get, Header, Inject } from '@nestjs/common';
import { WebsiteConfig } from '../website.config';
import { ICON, STYLE } from './assets';
import { homePage } from './home.page';

const A_DAY = 'public, max-age=86400';

/** The few pages there are; every other address is answered by the error page. */
@Controller()
export class PagesController {
  constructor(@Inject(WebsiteConfig) private readonly config: WebsiteConfig) {}

  @Get()
  @Header('Content-Type', 'text/html; charset=utf-8')
  @Header('Cache-Control', 'no-cache')
  home(): string {
    return homePage(this.config);
  }

  @Get('style.css')
  @Header('Content-Type', 'text/css; charset=utf-8')
  @Header('Cache-Control', A_DAY)
  style(): string {
    return STYLE;
  }

  @Get('icon.svg')
  @Header('Content-Type', 'image/svg+xml')
  @Header('Cache-Control', A_DAY)
  icon(): string {
    return ICON;
  }

  @Get('robots.txt')
  @Header('Content-Type', 'text/plain; charset=utf-8')
  robots(): string {
    return 'User-agent: *\nAllow: /\n';
  }
}
