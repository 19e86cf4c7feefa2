import { Body, Controller, Delete, Get, Param, Put, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  DeleteUserRequest,
  MessageResource,
  type PageResource,
  PeopleQuery,
  PersonChangedResource,
  PersonDetailResource,
  PersonResource,
  RoleRequest,
} from '@vitrine/contracts/api';
import { type Caller, PeopleService } from '@vitrine/domain';
import { presentPerson, presentPersonDetail } from './people.presenter';
import {
  API_PREFIX,
  Authenticated,
  CurrentAddress,
  CurrentCaller,
  presentPage,
  type RequestedAddress,
} from '@vitrine/http';
import { PROOF, proofIn } from '../proofs/proof-bodies';
import { Answers, AnswersData, AnswersPage } from '../openapi/answers';

@ApiTags('admin')
@Controller(`${API_PREFIX}/admin/users`)
@Authenticated({ session: true, role: 'admin' })
export class PeopleController {
  constructor(private readonly people: PeopleService) {}

  @Get()
  @ApiOperation({
    operationId: 'listPeople',
    summary: 'List and search accounts',
    description:
      'Includes accounts that are suspended, or that wait for the decision on their application. `total` counts up to 10,000, and there are no pages beyond that.',
  })
  @AnswersPage(PersonResource, 'One page of accounts, newest first.')
  async list(
    @Query() { page, limit, ...filter }: PeopleQuery,
    @CurrentAddress() address: RequestedAddress,
  ): Promise<PageResource<PersonResource>> {
    const { people, total } = await this.people.findPage(filter, page, limit);
    return presentPage(people.map(presentPerson), { page, limit, total }, address);
  }

  @Get(':username')
  @ApiOperation({
    operationId: 'getPerson',
    summary: 'Get an account',
    description:
      'Returns the account with its counts, used storage and quota. `POST /moderation/users/{username}` changes its state.',
  })
  @AnswersData(PersonDetailResource, 'The account.')
  async show(@Param('username') username: string): Promise<{ data: PersonDetailResource }> {
    return { data: presentPersonDetail(await this.people.find(username)) };
  }

  @Put(':username/role')
  @ApiOperation({
    operationId: 'changeRole',
    summary: 'Change the role of an account',
    description: `Takes effect within a second. The role of the last admin cannot be changed; this is 422. ${PROOF}`,
  })
  @Answers(200, PersonChangedResource, 'The account with its role.')
  async changeRole(
    @Param('username') username: string,
    @CurrentCaller() caller: Caller,
    @Body() { role, ...proof }: RoleRequest,
  ): Promise<PersonChangedResource> {
    const person = await this.people.changeRole(username, role, caller, proofIn(proof));
    return { message: 'Role changed.', user: presentPersonDetail(person) };
  }

  @Delete(':username')
  @ApiOperation({
    operationId: 'deletePerson',
    summary: 'Delete an account',
    description: `Has the same effects as if its owner had deleted it. Accounts of admins, including your own, can’t be deleted; this is 422. Change the role of the account first. ${PROOF}`,
  })
  @Answers(
    200,
    MessageResource,
    'The account is deleted. Removing all of its content may take a while longer.',
  )
  async remove(
    @Param('username') username: string,
    @CurrentCaller() caller: Caller,
    @Body() { username: typedName, reason, ...proof }: DeleteUserRequest,
  ): Promise<MessageResource> {
    await this.people.delete(username, { typedName, reason }, caller, proofIn(proof));
    return { message: 'Account deleted.' };
  }
}
