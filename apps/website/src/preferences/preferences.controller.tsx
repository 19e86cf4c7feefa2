import { Controller, Get, Post } from '@nestjs/common';
import { FormResult } from '../results/form-result';
import { Page } from '../results/page';
import { CurrentVisit } from '../visits/current-visit';
import { fieldText } from '../visits/form-fields';
import { queryText } from '../visits/query-parameters';
import { safePath } from '../visits/safe-path';
import { THEMES, type Visit } from '../visits/visit';
import { PreferencesPage } from './preferences-page';

@Controller('preferences')
export class PreferencesController {
  @Get()
  show(@CurrentVisit() visit: Visit): Page {
    return this.page(visit, safePath(queryText(visit.request, 'next')));
  }

  @Post()
  save(@CurrentVisit() visit: Visit): Page | FormResult {
    const next = safePath(fieldText(visit, 'next'));
    const choice = fieldText(visit, 'nsfw');
    if (choice !== 'show' && choice !== 'hide')
      return this.page(visit, next, 'Choose one of the two options.');
    const isChanged = visit.showsNsfw !== (choice === 'show');
    visit.chooseNsfw(choice === 'show');
    visit.chooseTheme(THEMES.find((theme) => theme === fieldText(visit, 'theme')));
    return new FormResult({
      goTo: next,
      notice: !isChanged
        ? 'Your choices are saved.'
        : choice === 'show'
          ? 'Sensitive content is now shown.'
          : 'Sensitive content is now hidden.',
    });
  }

  private page(visit: Visit, next: string, error?: string): Page {
    return new Page({
      title: 'Preferences',
      // `next` may name the key of a private post.
      secret: true,
      styles: ['feed.css'],
      ...(error !== undefined && { status: 422 }),
      head: { canonical: '/preferences', robots: 'noindex' },
      body: <PreferencesPage showsNsfw={visit.showsNsfw} theme={visit.theme} next={next} error={error} />,
    });
  }
}
