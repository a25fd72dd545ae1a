"""What people read: pages, notebooks, the generated parts of documents."""
