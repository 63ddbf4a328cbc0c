import type { library as english } from '../en/library.ts'
import type { TextsOf } from '../en/texts-of.ts'

/** The library of a workspace. */
export const library: TextsOf<typeof english> = {
  'library.empty': 'Aucune publication pour l’instant',
  'library.emptyHelp':
    'Déposez des fichiers PDF n’importe où sur cette page, ou choisissez-les. Chacun devient une page que tout le monde peut lire, à sa propre adresse.',
  'library.searchIn': 'Titre ou adresse',
  'library.sort': 'Trier par',
  'library.by_created': 'Plus récentes',
  'library.by_updated': 'Dernière modification',
  'library.by_title': 'Titre',
  'library.view': 'Affichage',
  'library.asGrid': 'Couvertures',
  'library.asTable': 'Tableau',
  'library.noneFound': 'Aucune publication ne correspond',
  'library.count': '{{shown}} publications chargées sur {{total}}',
  'library.pages': 'Pages',
}
