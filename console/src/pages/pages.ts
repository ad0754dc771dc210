// The table of pages: navigation entries, paths and components, which load when they are opened.
import type { ComponentType } from 'react';
import type { Icon } from '../shown/icons';
import {
  IconAdjustmentsQuestion,
  IconArrowsDiff,
  IconBox,
  IconBuildingWarehouse,
  IconGavel,
  IconHistory,
  IconLayoutDashboard,
  IconMap2,
  IconSearch,
  IconServer2,
  IconTags,
  IconUser,
} from '../shown/icons';

export interface PageEntry {
  readonly path: string;
  readonly load: () => Promise<{ readonly default: ComponentType }>;
  /** Any one of these rules grants access. */
  readonly rules: readonly string[];
}

interface NavigationEntry extends PageEntry {
  readonly name: string;
  readonly icon: Icon;
  /** The operator's question that the page answers. */
  readonly question: string;
}

/** The path without its parameter. */
export const navigationTarget = (path: string): string => path.replace(/\/:.*$/, '');

export const NAVIGATION: readonly NavigationEntry[] = [
  {
    path: '/',
    load: () => import('./overview/overview-page'),
    name: 'Overview',
    icon: IconLayoutDashboard,
    question: 'Where is my capacity, and what needs attention?',
    rules: ['berth:reports:capacity'],
  },
  {
    path: '/map',
    load: () => import('./map/map-page'),
    name: 'Map',
    icon: IconMap2,
    question: 'How full is every host, and where does a flavor fit?',
    rules: ['berth:reports:hosts'],
  },
  {
    path: '/hosts',
    load: () => import('./hosts/hosts-page'),
    name: 'Hosts',
    icon: IconServer2,
    question: 'What does each host have, and who uses it?',
    rules: ['berth:reports:hosts'],
  },
  {
    path: '/instances',
    load: () => import('./instances/instances-page'),
    name: 'Instances',
    icon: IconBox,
    question: 'Which instances are there, where, and why there?',
    rules: ['berth:reports:instances'],
  },
  {
    path: '/projects/:id?',
    load: () => import('./projects/projects-page'),
    name: 'Projects',
    icon: IconUser,
    question: 'Who uses most of the cloud, and for what?',
    rules: ['berth:reports:projects'],
  },
  {
    path: '/traits',
    load: () => import('./traits/traits-page'),
    name: 'Traits and classes',
    icon: IconTags,
    question: 'Who has which trait, and which resources are there?',
    rules: ['placement:traits:list'],
  },
  {
    path: '/candidates',
    load: () => import('./candidates/candidates-page'),
    name: 'Candidates',
    icon: IconSearch,
    question: 'What would this request get, and why not more?',
    rules: ['placement:allocation_candidates:list'],
  },
  {
    path: '/decisions',
    load: () => import('./decisions/decisions-page'),
    name: 'Decisions',
    icon: IconGavel,
    question: 'Why did it go there, or nowhere?',
    rules: ['berth:scheduler:decisions:list'],
  },
  {
    path: '/since',
    load: () => import('./since/since-page'),
    name: 'Since',
    icon: IconHistory,
    question: 'What changed since yesterday?',
    rules: ['berth:reports:timeline'],
  },
  {
    path: '/what-if',
    load: () => import('./what-if/what-if-page'),
    name: 'What if',
    icon: IconAdjustmentsQuestion,
    question: 'What would happen? Nothing is claimed.',
    rules: ['berth:scheduler:explain'],
  },
  {
    path: '/plans/:id?',
    load: () => import('./plans/plans-page'),
    name: 'Plans',
    icon: IconArrowsDiff,
    question: 'Which moves drain a host, make room, balance or pack?',
    rules: ['berth:scheduler:plans:list'],
  },
  {
    path: '/registries/:kind?',
    load: () => import('./registries/registries-page'),
    name: 'Configuration',
    icon: IconBuildingWarehouse,
    question: 'Aggregates, zones, groups, flavors, images, services',
    rules: ['berth:scheduler:host_aggregates:list', 'berth:scheduler:flavors:list', 'berth:scheduler:services:list'],
  },
];

/** The service checks the rights of pages without a navigation entry. */
export const PAGES: readonly PageEntry[] = [
  ...NAVIGATION,
  { path: '/hosts/:uuid', load: () => import('./host/host-page'), rules: [] },
  { path: '/decisions/:requestId', load: () => import('./decision/decision-page'), rules: [] },
];
