import type { shell as english } from '../en/shell.ts'
import type { TextsOf } from '../en/texts-of.ts'

/** The frame of every page, and texts that several pages share. */
export const shell: TextsOf<typeof english> = {
  'action.cancel': 'Annuler',
  'action.close': 'Fermer',
  'action.copied': 'Copié',
  'action.copy': 'Copier',
  'action.copyThing': 'Copier : {{thing}}',
  'action.delete': 'Supprimer…',
  'action.deleteThis': 'Supprimer {{name}} ?',
  'action.done': 'Terminé',
  'action.retry': 'Réessayer',
  'action.save': 'Enregistrer',
  'action.saved': 'Enregistré',
  'action.typeName': 'Saisissez le nom pour confirmer',

  'field.name': 'Nom',
  'field.nameMissing': 'Saisissez un nom',
  'field.title': 'Titre',
  'field.state': 'Statut',
  'field.created': 'Création',
  'field.updated': 'Dernière modification',
  'field.expires': 'Expiration',

  'list.search': 'Rechercher',
  'list.all': 'Tout',
  'list.clear': 'Effacer les filtres',

  'overlap.none': 'Immédiatement',
  'overlap.hour': 'Au bout d’une heure',
  'overlap.day': 'Au bout d’un jour',
  'overlap.week': 'Au bout d’une semaine',
  'overlap.month': 'Au bout de 30 jours',

  'state.loading': 'Chargement',

  'table.actions': 'Actions',

  'nav.skip': 'Aller au contenu principal',
  'nav.label': 'Navigation principale',
  'nav.open': 'Ouvrir la navigation',
  'nav.close': 'Fermer la navigation',
  'nav.events': 'Événements',
  'nav.workspaces': 'Espaces de travail',
  'nav.operators': 'Opérateurs',
  'nav.settings': 'Réglages',
  'nav.account': 'Compte : {{name}}',

  'help.title': 'Aide (en anglais)',
  'help.appDevelopers': 'Guide des applications',
  'help.publishing': 'Publier par programme',
  'help.operating': 'Exploiter le serveur',
  'help.reference': 'Référence de l’API',

  'preferences.language': 'Langue',
  'preferences.units': 'Unités',
  'preferences.metric': 'Kilomètres et mètres',
  'preferences.imperial': 'Miles et pieds',
  'preferences.colours': 'Thème',
  'preferences.auto': 'Selon l’appareil',
  'preferences.light': 'Clair',
  'preferences.dark': 'Sombre',
  'preferences.chosen': 'Sélectionné',

  'connection.offline': 'Vous êtes hors ligne. Les informations affichées ne sont peut-être plus à jour.',
  'connection.serverGone': 'Le serveur ne répond pas. Les informations affichées ne sont peut-être plus à jour.',

  'failed.title': 'Cette page n’a pas pu s’afficher',
  'failed.explanation': 'Vos données enregistrées sont intactes. Réessayez ou rechargez la page.',

  'notFound.title': 'Introuvable',
  'notFound.home': 'Aller à l’accueil',
}
