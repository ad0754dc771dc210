// The only network and the only security group. Clients look up both by name before they create a server.
export const NETWORK = { id: '6e657477-6f72-4b00-8000-000000000001', label: 'practice' } as const;
export const SECURITY_GROUP = 'default';
export const SECURITY_GROUP_ID = '73656375-7269-4479-8000-000000000001';

/** Matches the uuid or the name. */
export const isNetwork = (text: string): boolean => text === NETWORK.id || text === NETWORK.label;
export const isSecurityGroup = (text: string): boolean => text === SECURITY_GROUP_ID || text === SECURITY_GROUP;
