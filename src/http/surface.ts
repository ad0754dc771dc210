/** Which family of routes a path belongs to; they differ in authentication, versions and prefix. */
export type Surface = 'placement' | 'scheduler' | 'operations';
