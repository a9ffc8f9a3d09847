import { type Static, Type } from 'typebox';

const count = (description: string) => Type.Optional(Type.Integer({ description }));

/** What has or names an entry, so that a page says in numbers what its removal does. */
export const UseCounts = Type.Object({
  members: count('Of a team.'),
  people: count('Who have the canned reply.'),
  contacts: count('With the stage, the tag or a value of the field.'),
  conversations: count('Of the team or in the stage, closed ones too.'),
  open_conversations: count('Assigned to the member.'),
  teams: count('Of the member.'),
  invitations: count('Open ones that the member made.'),
  closings: count('With the closing reason. They keep its name.'),
  broadcasts: count('Scheduled ones whose audience is the stage or the tag; unfinished ones with the template.'),
  workflows: Type.Integer({
    description: 'Whose definition has the name as a text, or a step that sends the template.',
  }),
});
export type UseCounts = Static<typeof UseCounts>;
