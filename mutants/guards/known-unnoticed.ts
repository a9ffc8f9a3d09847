/** Faults of guards that no test notices, each with its reason. `fault` is a part of its name. */
export const knownUnnoticed: readonly { fault: string; reason: string }[] = [
  {
    fault: 'dropped await: await app.register(',
    reason: 'Fastify runs its plugins in their order before it listens, whether or not somebody waits for each of them',
  },
  {
    fault: 'lost condition: !match → false',
    reason: 'a stored hash in no known form cannot be taken apart, so it is a bug with the guard and without it',
  },
  {
    fault: "dropped await: await recordActs(tx, clock, [toAct(caller, 'checkChannel'",
    reason:
      'a transaction runs its statements in order, so the record comes before the commit; the lint refuses the promise',
  },
  ...[
    'clock.nowMs() - session.last_seen_at.getTime() < seenEveryMs →',
    'clock.nowMs() - confirmed_at.getTime() < confirmationSeconds * 1000 →',
    'clock.nowMs() - created_at.getTime() < codeSeconds * 1000 →',
    'clock.nowMs() - discovered.at > discoveryMs →',
  ].map((fault) => ({ fault, reason: 'the clock runs, so no request meets the millisecond of the edge by intent' })),
  {
    fault: 'performance.now() - checked_at > checkEveryMs →',
    reason: 'the time has fractions of a millisecond, so it is never equal',
  },
  {
    fault: 'response.writableLength > mostUnreadBytes →',
    reason:
      'the length of what a client has not read depends on the buffers of the kernel, so no test sets it to the byte',
  },
  {
    fault: 'dropped await: await pause(pollEveryMs,',
    reason: 'the pause between two readings spares the database, and nobody is told anything else without it',
  },
  {
    fault: 'lost condition: response.writableEnded → false',
    reason:
      'a stream that has ended is open only while its client reads nothing, and how much that is depends on the kernel',
  },
  {
    fault: 'turned comparison: change.details !== null → change.details === null',
    reason: 'two keys are told apart, and only their names change places',
  },
  {
    fault: 'turned comparison: known === undefined → known !== undefined',
    reason: 'in `password.ts`, two queues with the same limits change places',
  },
  {
    fault: 'lost condition: page === undefined → false',
    reason: 'the tests run with the console built',
  },
  {
    fault: 'lost condition: !contact_id → false',
    reason: 'the dry run refuses a contact without an id as it refuses an unknown one',
  },
  {
    fault: 'turned comparison: from < last.position → from <= last.position',
    reason: 'the condition saves a reading of nothing',
  },
  {
    fault: 'turned comparison: use.count < least.count → use.count <= least.count',
    reason: 'of two workspaces with equal use, either has room or none has',
  },
  {
    fault: 'lost condition: answer instanceof Refusal → false',
    reason: 'a refusal that is answered has the status and the body of one that is thrown',
  },
  ...['request.routeOptions.config.console_operation?.body', 'request.routeOptions.config.operation?.body'].map(
    (body) => ({
      fault: `request.body === undefined && ${body} → (request.body === undefined)`,
      reason: 'an operation that takes no body reads none',
    }),
  ),
  {
    fault: 'contact-edit-routes.ts:47: lost condition: !row → false',
    reason: 'the contact would have to be erased between two statements that nothing holds apart',
  },
  {
    fault: 'statusCode < 500 → statusCode <= 500',
    reason: 'no file of the bundle can be made to fail with a fault of the service',
  },
  {
    fault: 'proven_at && ended.length > 0 → (ended.length > 0)',
    reason: 'what a proof ended is stored together with its time',
  },
  {
    fault: 'lost condition: !id || !(await findPayload(pool, workspace_id, id)) → (!(await',
    reason: 'an id that cannot be read finds no event, as an unknown one',
  },
  {
    fault: 'lost condition: joined.length === 0 → false',
    reason: 'the condition saves a reading of nothing',
  },
  {
    fault: 'changes.length > 0 → changes.length >= 0',
    reason: 'the condition saves a statement that inserts nothing',
  },
];
