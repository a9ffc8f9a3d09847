export const invitations = [
  { email: 'hamed@acme.example', role: 'admin' },
  { email: 'lubna.al-harthy@acme.example', role: 'agent' },
];
