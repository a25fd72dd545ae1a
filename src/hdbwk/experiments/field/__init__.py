"""What people would use instead: the methods of the field on the instances of Section 8 and on harder ones."""
