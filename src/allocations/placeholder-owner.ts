// Token of the owner that writes of versions without owners are given; its ids are configuration.
export const PLACEHOLDER_OWNER = Symbol('placeholder owner');
