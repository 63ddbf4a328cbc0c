const EN: Record<string, string> = {
  added: 'add',
  began: 'begin',
  changed: 'change',
  checked: 'check',
  chose: 'choose',
  confirmed: 'confirm',
  created: 'create',
  deleted: 'delete',
  downloaded: 'download',
  ended: 'end',
  erased: 'erase',
  exchanged: 'exchange',
  finished: 'finish',
  imported: 'import',
  opened: 'open',
  published: 'publish',
  removed: 'remove',
  renamed: 'rename',
  replaced: 'replace',
  revoked: 'revoke',
  sent: 'send',
  set: 'set',
  signed: 'sign',
  suspended: 'suspend',
  tested: 'test',
  unpublished: 'unpublish',
  uploaded: 'upload',
  viewed: 'view',
}

const FR: Record<string, string> = {
  affiché: 'afficher',
  ajouté: 'ajouter',
  changé: 'changer',
  choisi: 'choisir',
  commencé: 'commencer',
  configuré: 'configurer',
  confirmé: 'confirmer',
  connecté: 'connecter',
  consulté: 'consulter',
  créé: 'créer',
  déconnecté: 'déconnecter',
  défini: 'définir',
  dépublié: 'dépublier',
  effacé: 'effacer',
  envoyé: 'envoyer',
  fermé: 'fermer',
  importé: 'importer',
  modifié: 'modifier',
  ouvert: 'ouvrir',
  remplacé: 'remplacer',
  renommé: 'renommer',
  renvoyé: 'renvoyer',
  republié: 'republier',
  retiré: 'retirer',
  révoqué: 'révoquer',
  supprimé: 'supprimer',
  suspendu: 'suspendre',
  terminé: 'terminer',
  testé: 'tester',
  téléchargé: 'télécharger',
  vérifié: 'vérifier',
}

/**
 * Returns the words for something that was not done, from those for having done it: `signed in` becomes
 * `could not sign in`. Undefined for a verb that is not known here.
 */
export function undoneWords(words: string, language: string): string | undefined {
  const [first, second, ...rest] = words.split(' ')
  if (!language.startsWith('fr')) {
    const verb = EN[first]
    return verb && ['could not', verb, ...(second === undefined ? [] : [second]), ...rest].join(' ')
  }
  const verb = FR[second]
  return verb && ['n’a pas pu', ...(first === 'a' ? [] : ['se']), verb, ...rest].join(' ')
}
