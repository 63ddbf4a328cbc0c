import type { Language } from './language.ts'

/** The texts of the spectators' pages. Counts come with the figure as it is written. */
export type Texts = {
  locale: string
  skip: string
  views: string
  tabs: Record<string, string>
  /** Words about the state of a track. */
  state: { running: string; paused: string; stopped: string }
  noSignal(since: string): string
  noPoints: string
  distance: string
  time: string
  movingTime: string
  rate: string
  climb: string
  start: string
  lastPosition: string
  justNow: string
  counted: Record<'running' | 'paused' | 'stopped', (count: number, figure: string) => string>
  runners: string
  nothingYet: string
  nothingYetHelp: string
  more(shown: string, count: string): string
  asOf(time: string, zone: string): string
  /** Says by how much everything is shown later. */
  delayed(sec: number): string
  reload: string
  mapFollows: string
  replayFollows: string
  replayHelp: string
  place: string
  bib: string
  name: string
  category: string
  lastCheckpoint: string
  gap: string
  stages: Record<'not-started' | 'running' | 'finished', string>
  statuses: Record<'dnf' | 'dns' | 'dsq', string>
  firstOf(shown: string, count: string): string
  previewEvent: string
  previewTrack: string
  otherLanguage: string
  openWhole: string
  unknown: string
  unknownHelp: string
  over: string
  overHelp: string
  busy: string
  busyHelp: string
  broken: string
  brokenHelp: string
  request(id: string): string
  moved: string
  movedHelp: string
}

const en: Texts = {
  locale: 'en_GB',
  skip: 'Skip to content',
  views: 'Views',
  tabs: { map: 'Map', results: 'Results', replay: 'Replay' },
  state: { running: 'In progress', paused: 'Paused', stopped: 'Finished' },
  noSignal: (since) => `No signal since ${since}`,
  noPoints: 'no points yet',
  distance: 'Distance',
  time: 'Time',
  movingTime: 'Moving time',
  rate: 'Average',
  climb: 'Climb',
  start: 'Start',
  lastPosition: 'Last position',
  justNow: 'just now',
  counted: {
    running: (_count, figure) => `${figure} in progress`,
    paused: (_count, figure) => `${figure} paused`,
    stopped: (_count, figure) => `${figure} finished`,
  },
  runners: 'Runners',
  nothingYet: 'Nothing to see yet',
  nothingYetHelp: 'The list and the map appear with the first points.',
  more: (shown, count) => `These are the ${shown} of ${count} with the latest news. All are in the live list.`,
  asOf: (time, zone) => `As of ${time} (${zone})`,
  delayed: (sec) => (sec < 60 ? `Shown ${sec} s late` : `Shown ${Math.round(sec / 60)} min late`),
  reload: 'Reload',
  mapFollows: 'The live map is loading…',
  replayFollows: 'The replay is loading…',
  replayHelp: 'The replay needs JavaScript.',
  place: 'Place',
  bib: 'Bib',
  name: 'Name',
  category: 'Category',
  lastCheckpoint: 'Last checkpoint',
  gap: 'Gap',
  stages: { 'not-started': 'Not started', running: 'On the course', finished: 'Finished' },
  statuses: { dnf: 'Did not finish', dns: 'Did not start', dsq: 'Disqualified' },
  firstOf: (shown, count) => `The first ${shown} of ${count} runners.`,
  previewEvent: 'Follow everyone on a live map, without an app or an account.',
  previewTrack: 'Follow live on a map, without an app or an account.',
  otherLanguage: 'Français',
  openWhole: 'Open the whole page',
  unknown: 'There is nothing at this address',
  unknownHelp: 'Check that the link is complete, or ask the person who sent it to you for a new one.',
  over: 'No longer shared',
  overHelp: 'This link has expired or was revoked. Ask the person who sent it to you for a new one.',
  busy: 'Too many requests',
  busyHelp: 'Wait a moment, then reload the page.',
  broken: 'The page could not be shown',
  brokenHelp: 'Something failed on the server. Try again in a minute.',
  request: (id) => `Request ${id}`,
  moved: 'This page has moved',
  movedHelp: 'It opens by itself where JavaScript is enabled. Otherwise, ask for a new link.',
}

const fr: Texts = {
  locale: 'fr_FR',
  skip: 'Aller au contenu',
  views: 'Vues',
  tabs: { map: 'Carte', results: 'Résultats', replay: 'Revoir' },
  state: { running: 'En cours', paused: 'En pause', stopped: 'Terminée' },
  noSignal: (since) => `Sans signal depuis ${since}`,
  noPoints: 'aucun point pour l’instant',
  distance: 'Distance',
  time: 'Temps',
  movingTime: 'Temps en mouvement',
  rate: 'Moyenne',
  climb: 'D+',
  start: 'Départ',
  lastPosition: 'Dernière position',
  justNow: 'à l’instant',
  counted: {
    running: (_count, figure) => `${figure} en cours`,
    paused: (_count, figure) => `${figure} en pause`,
    stopped: (count, figure) => `${figure} ${count < 2 ? 'terminée' : 'terminées'}`,
  },
  runners: 'Coureurs',
  nothingYet: 'Rien à voir pour l’instant',
  nothingYetHelp: 'La liste et la carte apparaissent dès les premiers points.',
  more: (shown, count) =>
    `Voici, sur ${count}, les ${shown} dont les nouvelles sont les plus récentes. La liste en direct les contient toutes.`,
  asOf: (time, zone) => `État à ${time} (${zone})`,
  delayed: (sec) =>
    sec < 60 ? `Affiché avec ${sec}\u00a0s de retard` : `Affiché avec ${Math.round(sec / 60)}\u00a0min de retard`,
  reload: 'Actualiser',
  mapFollows: 'La carte en direct se charge…',
  replayFollows: 'La rediffusion se charge…',
  replayHelp: 'La rediffusion a besoin de JavaScript.',
  place: 'Place',
  bib: 'Dossard',
  name: 'Nom',
  category: 'Catégorie',
  lastCheckpoint: 'Dernier point',
  gap: 'Écart',
  stages: { 'not-started': 'Pas encore parti', running: 'En course', finished: 'Arrivé' },
  statuses: { dnf: 'Abandon', dns: 'Non-partant', dsq: 'Disqualifié' },
  firstOf: (shown, count) => `Les ${shown} premiers de ${count} coureurs.`,
  previewEvent: 'Suivez tout le monde sur une carte en direct, sans application ni compte.',
  previewTrack: 'Suivez en direct sur une carte, sans application ni compte.',
  otherLanguage: 'English',
  openWhole: 'Ouvrir la page entière',
  unknown: 'Il n’y a rien à cette adresse',
  unknownHelp: 'Vérifiez que le lien est complet, ou demandez-en un nouveau à la personne qui vous l’a envoyé.',
  over: 'Partage terminé',
  overHelp: 'Ce lien a expiré ou a été révoqué. Demandez-en un nouveau à la personne qui vous l’a envoyé.',
  busy: 'Trop de requêtes',
  busyHelp: 'Attendez un instant, puis actualisez la page.',
  broken: 'La page n’a pas pu être affichée',
  brokenHelp: 'Une erreur s’est produite sur le serveur. Réessayez dans une minute.',
  request: (id) => `Requête ${id}`,
  moved: 'Cette page a une nouvelle adresse',
  movedHelp: 'Elle s’ouvre d’elle-même si JavaScript est activé. Sinon, demandez un nouveau lien.',
}

/** Returns the texts of a language. */
export function textsOf(language: Language): Texts {
  return { en, fr }[language]
}
