/**
 * Security labels alone: who may see a thing, and what is left of a document for somebody who may not see all of it.
 */
import { allOf, createViewer, redactDocument } from '@cairn/security';

// A hierarchy runs from least to most restrictive: `clearance=OS` permits OS, S and TS.
const hierarchies = { clearance: ['O', 'OS', 'S', 'TS'] };
const bob = createViewer({ attributes: { clearance: ['S'], nationality: ['USA'], project: ['x', 'y'] }, hierarchies });

for (const label of [
  '*', // everybody
  '!', // nobody
  'clearance=OS', // below bob's
  'clearance=TS', // above it
  'clearance=S & (nationality=GBR | nationality=USA)',
  'project!=z', // he has the attribute, and no value of it is z
  'department!=z', // he has no such attribute: what is unknown never permits
  'clearance=', // malformed: permits nobody, so that a typing error hides and never reveals
]) {
  console.log(bob.permits(label) ? 'permit' : 'deny  ', label);
}

// What is made from two things carries both labels.
console.log(allOf(['clearance=S', 'nationality=USA|nationality=GBR']));

// Labels stand beside the fields that they are about. A list has one label for all items, or one for each.
const report = {
  uri: 'report:7',
  title: 'Survey of the north shore',
  sites: ['Skerry', 'Old Harbour'],
  author: { name: 'J. Doe', phone: '555 0100', securityLabels: { phone: 'clearance=TS' } },
  securityLabels: { defaults: 'clearance=O', sites: ['', 'clearance=TS'] },
};
console.log(JSON.stringify(redactDocument(report, bob)));

// Of a document that nothing is left of there is no trace at all.
console.log(redactDocument(report, createViewer({ attributes: {}, hierarchies })));

/* Prints:
permit *
deny   !
permit clearance=OS
deny   clearance=TS
permit clearance=S & (nationality=GBR | nationality=USA)
permit project!=z
deny   department!=z
deny   clearance=
clearance=S&(nationality=GBR|nationality=USA)
{"uri":"report:7","title":"Survey of the north shore","sites":["Skerry"],"author":{"name":"J. Doe"}}
undefined
*/
