import { faultsIn } from '../fault.ts';

export const faults = [
  ...faultsIn(
    'server/src/operator/authenticate-operator.ts',
    ['server/test/operator.test.ts'],
    [
      [
        'if (isOperator(headers.authorization)) return;',
        'if (headers.authorization) return;',
        'any token opens the door of the operator',
      ],
    ],
  ),
];
