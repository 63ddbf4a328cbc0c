import type { library as english } from '../en/library.ts'
import type { TextsOf } from '../en/texts-of.ts'

/** The library of a workspace. */
export const library: TextsOf<typeof english> = {
  'library.empty': 'Pas encore de publication',
  'library.emptyHelp':
    'Déposez des fichiers PDF n’importe où sur cette page, ou choisissez-les. Chacun devient une page que tout le monde peut lire, avec sa propre adresse.',
  'library.searchIn': 'Titre ou adresse',
  'library.sort': 'Trier par',
  'library.by_created': 'Plus récentes',
  'library.by_updated': 'Dernier changement',
  'library.by_title': 'Titre',
  'library.view': 'Affichage',
  'library.asGrid': 'Couvertures',
  'library.asTable': 'Tableau',
  'library.noneFound': 'Aucune publication ne correspond',
  'library.clear': 'Afficher toutes les publications',
  'library.count': '{{shown}} publications chargées sur {{total}}',
  'library.pages': 'Pages',
}
