import {
  Code,
  History,
  List,
  type LucideIcon,
  Radio,
  Route,
  Settings,
  Share2,
  SlidersHorizontal,
  Smartphone,
  Trophy,
  Users,
} from 'lucide-react'
import type { Tab } from '../components/links.tsx'
import { paths } from '../components/paths.ts'
import type { Key } from '../i18n/en.ts'

/** A page of a place. `isHidden` is true for one that only a button leads to. */
type PlacePage = Tab & { isHidden?: boolean }

/** One of the few places of an event, with its pages. The first page is where its link leads. */
export type Place = { key: Key; icon: LucideIcon; pages: readonly PlacePage[] }

/** The four places of an event. */
export const PLACES: readonly Place[] = [
  {
    key: 'event.live',
    icon: Radio,
    pages: [
      { to: paths.event, key: 'event.live', icon: Radio },
      { to: paths.eventReplay, key: 'event.replay', icon: History },
    ],
  },
  {
    key: 'event.participants',
    icon: Users,
    pages: [
      { to: paths.eventParticipants, key: 'race.startList', icon: Users },
      { to: paths.eventPhones, key: 'event.phones', icon: Smartphone, isForEditors: true },
      { to: paths.eventCodeSheet, key: 'event.phones', icon: Smartphone, isForEditors: true, isHidden: true },
    ],
  },
  {
    key: 'event.courseAndResults',
    icon: Trophy,
    pages: [
      { to: paths.eventResults, key: 'race.results', icon: Trophy },
      { to: paths.eventCourse, key: 'race.course', icon: Route },
    ],
  },
  {
    key: 'event.tracks',
    icon: List,
    pages: [
      { to: paths.eventTracks, key: 'event.tracks', icon: List },
      { to: paths.eventComparison, key: 'comparison.title', icon: List, isHidden: true },
    ],
  },
]

/** The pages beside the places: who may watch, and how the event works. */
export const BESIDE_PLACES: readonly Place[] = [
  {
    key: 'event.share',
    icon: Share2,
    pages: [{ to: paths.eventShare, key: 'event.share', icon: Share2, isForEditors: true }],
  },
  {
    key: 'event.settings',
    icon: Settings,
    pages: [
      { to: paths.eventSettings, key: 'event.general', icon: SlidersHorizontal, isForEditors: true },
      { to: paths.eventDevelopers, key: 'event.developers', icon: Code, isForEditors: true },
    ],
  },
]
