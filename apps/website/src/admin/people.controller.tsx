import { Controller, Get } from '@nestjs/common';
import { ACCOUNT_STATES, ROLES, MAX_LENGTHS } from '@vitrine/contracts';
import type { Page } from '../results/page';
import { CurrentVisit } from '../visits/current-visit';
import { queryPage, queryText } from '../visits/query-parameters';
import type { Visit } from '../visits/visit';
import { adminPage } from './admin-frame';
import { PeoplePage } from './people-page';

const PEOPLE_PAGE = 50;

/** The accounts of the site. */
@Controller('admin')
export class PeopleController {
  @Get()
  async list(@CurrentVisit() visit: Visit): Promise<Page> {
    await visit.requireViewer();
    const { request } = visit;
    const q = queryText(request, 'q').trim().slice(0, MAX_LENGTHS.email);
    const state = ACCOUNT_STATES.find((known) => known === queryText(request, 'state'));
    const role = ROLES.find((known) => known === queryText(request, 'role'));
    const people = await visit.api.admin.people.list({
      page: queryPage(request),
      limit: PEOPLE_PAGE,
      ...(q !== '' && { q }),
      ...(state && { state }),
      ...(role && { role }),
    });
    return adminPage({
      title: 'People',
      path: '/admin',
      body: <PeoplePage people={people} filter={{ q, state, role }} path={visit.path} />,
    });
  }
}
