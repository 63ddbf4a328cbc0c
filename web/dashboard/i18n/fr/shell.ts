import type { shell as english } from '../en/shell.ts'
import type { TextsOf } from '../en/texts-of.ts'

/** The frame of every page, and what is said on all of them. */
export const shell: TextsOf<typeof english> = {
  'action.cancel': 'Annuler',
  'action.close': 'Fermer',
  'action.copied': 'Copié',
  'action.copy': 'Copier',
  'action.copyThing': 'Copier : {{thing}}',
  'action.done': 'Terminé',
  'action.retry': 'Réessayer',
  'action.save': 'Enregistrer',
  'action.saved': 'Enregistré',
  'action.typeName': 'Saisissez le nom pour confirmer',

  'state.loading': 'Chargement',

  'table.actions': 'Actions',

  'nav.skip': 'Aller au contenu',
  'nav.label': 'Navigation principale',
  'nav.open': 'Ouvrir la navigation',
  'nav.close': 'Fermer la navigation',
  'nav.events': 'Événements',
  'nav.workspaces': 'Espaces de travail',
  'nav.operators': 'Opérateurs',
  'nav.account': 'Compte de {{name}}',

  'preferences.language': 'Langue',
  'preferences.colours': 'Couleurs',
  'preferences.auto': 'Comme l’appareil',
  'preferences.light': 'Clair',
  'preferences.dark': 'Sombre',
  'preferences.chosen': 'choisi',

  'connection.offline': 'Cet appareil est hors ligne. Les informations affichées peuvent dater.',
  'connection.serverGone': 'Le serveur ne répond pas. Les informations affichées peuvent dater.',

  'failed.title': 'Cette page a échoué',
  'failed.explanation': 'Rien de ce qui était enregistré n’est perdu. Réessayez ou rechargez la page.',

  'notFound.title': 'Introuvable',
  'notFound.home': 'Vers la page d’accueil',
}
