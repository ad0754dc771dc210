// The table of pages: navigation entries, paths and lazily loaded components.
import { lazy } from 'react';
import type { ComponentType, LazyExoticComponent } from 'react';
import {
  IconAdjustmentsQuestion,
  IconBuildingWarehouse,
  IconGavel,
  IconLayoutDashboard,
  IconMap2,
  IconSearch,
  IconServer2,
  IconTags,
} from '../shown/icons';
import type { Icon } from '../shown/icons';

export interface PageEntry {
  readonly path: string;
  readonly page: LazyExoticComponent<ComponentType>;
  /** Absent for a page without a navigation entry. */
  readonly shown?: {
    readonly name: string;
    readonly icon: Icon;
    /** The operator's question that the page answers. */
    readonly question: string;
    /** Any one of these rules grants access. */
    readonly rules: readonly string[];
  };
}

export const PAGES: readonly PageEntry[] = [
  {
    path: '/',
    page: lazy(() => import('./overview/overview-page')),
    shown: {
      name: 'Overview',
      icon: IconLayoutDashboard,
      question: 'Where is my capacity, and what needs me?',
      rules: ['berth:reports:capacity'],
    },
  },
  {
    path: '/map',
    page: lazy(() => import('./map/map-page')),
    shown: {
      name: 'Map',
      icon: IconMap2,
      question: 'How full is every host, and where does a flavor fit?',
      rules: ['berth:reports:hosts'],
    },
  },
  {
    path: '/hosts',
    page: lazy(() => import('./hosts/hosts-page')),
    shown: {
      name: 'Hosts',
      icon: IconServer2,
      question: 'What does each host have, and who uses it?',
      rules: ['berth:reports:hosts'],
    },
  },
  { path: '/hosts/:uuid', page: lazy(() => import('./host/host-page')) },
  {
    path: '/traits',
    page: lazy(() => import('./traits/traits-page')),
    shown: {
      name: 'Traits and classes',
      icon: IconTags,
      question: 'Who has which trait, and which resources are there?',
      rules: ['placement:traits:list'],
    },
  },
  {
    path: '/candidates',
    page: lazy(() => import('./candidates/candidates-page')),
    shown: {
      name: 'Candidates',
      icon: IconSearch,
      question: 'What would this request get, and why not more?',
      rules: ['placement:allocation_candidates:list'],
    },
  },
  {
    path: '/decisions',
    page: lazy(() => import('./decisions/decisions-page')),
    shown: {
      name: 'Decisions',
      icon: IconGavel,
      question: 'Why did it go there, or nowhere?',
      rules: ['berth:scheduler:decisions:list'],
    },
  },
  { path: '/decisions/:requestId', page: lazy(() => import('./decision/decision-page')) },
  {
    path: '/what-if',
    page: lazy(() => import('./what-if/what-if-page')),
    shown: {
      name: 'What if',
      icon: IconAdjustmentsQuestion,
      question: 'What would happen, without its happening?',
      rules: ['berth:scheduler:explain'],
    },
  },
  {
    path: '/registries/:kind?',
    page: lazy(() => import('./registries/registries-page')),
    shown: {
      name: 'Registries',
      icon: IconBuildingWarehouse,
      question: 'Aggregates, zones, groups, flavors, images, services',
      rules: ['berth:scheduler:host_aggregates:list', 'berth:scheduler:flavors:list', 'berth:scheduler:services:list'],
    },
  },
];
